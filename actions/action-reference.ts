/** Result of `action`, by which the `needs` and `steps` of other actions refer to it. */
export interface Action {
  readonly action: string
}

/** An action by its name, or as returned by `action`. */
export type ActionReference = string | Action

export const nameOf = (reference: ActionReference): string =>
  typeof reference === 'string' ? reference : reference?.action
