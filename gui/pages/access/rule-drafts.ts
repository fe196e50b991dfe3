import type { AuthorisationRule, Resource } from '../../api/records.ts'
import { type Right, rights } from './search.ts'

/** Rule as it is edited. */
export interface RuleDraft extends Readonly<Record<Right, boolean | null>> {
  /** Identifies the row while it is edited; of a stored rule its id. */
  readonly key: string
  readonly path: string
  readonly name: string | null
}

/** A rule as the API takes it. */
export type RuleAttributes = Omit<RuleDraft, 'key'>

/** Rules in the order of the tree of their paths. */
export const draftsOf = (rules: readonly Resource<AuthorisationRule>[]): RuleDraft[] =>
  rules
    .map(({ id, attributes: { path, name, read, update, execute, delete: remove } }) => {
      return { key: id, path, name, read, update, execute, delete: remove }
    })
    .toSorted((a, b) => (treeOrder(a.path) < treeOrder(b.path) ? -1 : 1))

/** A path comes directly before what is below it: `/` sorts before all characters of names. */
const treeOrder = (path: string): string => path.replaceAll('/', '\u0000')

export const newRule = (key: string): RuleDraft => ({
  key,
  path: '',
  name: null,
  read: true,
  update: null,
  execute: null,
  delete: null,
})

export const attributesOf = ({ key: _, path, ...rule }: RuleDraft): RuleAttributes => ({ ...rule, path: path.trim() })

/** Number of rules above it in the tree of the policy's paths. */
export function depthOf(path: string, drafts: readonly RuleDraft[]): number {
  const above = new Set(
    drafts.map(each => each.path).filter(each => each !== '' && each !== path && covers(each, path)),
  )
  return above.size
}

const covers = (above: string, path: string): boolean => above === '/' || path.startsWith(`${above}/`)

/** Number of rules that were added, removed or changed. */
export function changesOf(stored: readonly RuleDraft[], drafts: readonly RuleDraft[]): number {
  const now = new Map(drafts.map(each => [each.key, each]))
  const before = new Map(stored.map(each => [each.key, each]))
  const removed = stored.filter(({ key }) => !now.has(key)).length
  return removed + drafts.filter(each => isChanged(before.get(each.key), each)).length
}

/** Whether these are the same rules, whichever ids they have. */
export const sameRules = (one: readonly RuleDraft[], other: readonly RuleDraft[]): boolean =>
  rulesText(one) === rulesText(other)

/** Rules as a text, one line each, for a comparison. */
export const rulesText = (drafts: readonly RuleDraft[]): string =>
  drafts
    .toSorted((a, b) => (treeOrder(a.path) < treeOrder(b.path) ? -1 : 1))
    .map(rule => `${rule.path}: ${rights.map(right => `${right}=${stateWord(rule[right])}`).join(' ')}\n`)
    .join('')

const stateWord = (state: boolean | null): string => (state === null ? 'inherit' : state ? 'allow' : 'deny')

const isChanged = (before: RuleDraft | undefined, now: RuleDraft): boolean =>
  before?.path !== now.path || rights.some(right => before[right] !== now[right])

/** Text of a rule: `read, no update`. */
export const rightsText = (
  rule: Readonly<Record<Right, boolean | null>>,
  words: Readonly<Record<Right, string>>,
): string =>
  rights
    .filter(right => rule[right] !== null)
    .map(right => `${rule[right] ? '' : 'no '}${words[right].toLowerCase()}`)
    .join(', ')
