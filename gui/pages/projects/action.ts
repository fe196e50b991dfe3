/** Action that an asset offers, as its record lists it. */
export interface OfferedAction {
  readonly action: string
  readonly description: string
  readonly full_path: string
  readonly children?: readonly OfferedAction[]
}

/** Actions of an asset; other nodes have none of their own. */
export const actionsOf = (node: { attributes: { actions?: readonly unknown[] } }): readonly OfferedAction[] =>
  (node.attributes.actions ?? []) as readonly OfferedAction[]

/** Number of steps that run something, at any depth. */
export const stepCount = ({ children = [] }: Pick<OfferedAction, 'children'>): number =>
  children.length === 0 ? 1 : children.reduce((sum, child) => sum + stepCount(child), 0)
