/** Value of a document that holds no other values: a scalar, or an empty object or list. */
export interface Leaf {
  readonly pointer: string
  readonly tokens: readonly Token[]
  readonly value: unknown
  /** Text that names the layer the value comes from. */
  readonly source: string | undefined
}

/** Key of an object, or index of a list. */
export type Token = string | number

/**
 * Leaves of a document in its order.
 *
 * @param sources document of the same shape with a text at each leaf
 */
export function leavesOf(document: unknown, sources?: unknown): Leaf[] {
  const leaves: Leaf[] = []
  const visit = (value: unknown, source: unknown, tokens: readonly Token[]): void => {
    const children = childrenOf(value)
    if (children.length === 0)
      leaves.push({
        pointer: pointerOf(tokens),
        tokens,
        value,
        source: typeof source === 'string' ? source : undefined,
      })
    for (const [token, child] of children) visit(child, childAt(source, token), [...tokens, token])
  }
  for (const [token, value] of childrenOf(document)) visit(value, childAt(sources, token), [token])
  return leaves
}

function childrenOf(value: unknown): (readonly [Token, unknown])[] {
  if (Array.isArray(value)) return value.map((child, i) => [i, child] as const)
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** Child of a document; a text stands for everything below it. */
const childAt = (sources: unknown, token: Token): unknown =>
  typeof sources === 'object' && sources !== null && Object.hasOwn(sources, token)
    ? (sources as Record<Token, unknown>)[token]
    : sources

/** JSON pointer: `/web/port`. */
export const pointerOf = (tokens: readonly Token[]): string =>
  tokens.map(token => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Path as people write it: `web.port`, `products[0].name`, `hosts["a.b"]`. */
export const pathText = (tokens: readonly Token[]): string =>
  tokens.map((token, i) => (i === 0 ? partText(token).replace(/^\./, '') : partText(token))).join('')

const partText = (token: Token): string =>
  typeof token === 'number' || /^\d+$/.test(token)
    ? `[${token}]`
    : /^[\w-]+$/.test(token)
      ? `.${token}`
      : `[${JSON.stringify(token)}]`

/** Value in one line: texts as they are, everything else as JSON. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Leaves whose path, value or source contains every word, case-insensitively. */
export function filterLeaves(leaves: readonly Leaf[], filter: string): readonly Leaf[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return leaves
  return leaves.filter(({ tokens, pointer, value, source = '' }) => {
    const text = `${pathText(tokens)} ${pointer} ${valueText(value)} ${source}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** Numbers of leaves that one document adds, changes and removes compared with another. */
export function countChanges(before: unknown, after: unknown): { added: number; changed: number; removed: number } {
  const [old, now] = [byPointer(before), byPointer(after)]
  const added = [...now.keys()].filter(pointer => !old.has(pointer)).length
  const removed = [...old.keys()].filter(pointer => !now.has(pointer)).length
  const changed = [...now].filter(([pointer, value]) => old.has(pointer) && old.get(pointer) !== value).length
  return { added, changed, removed }
}

const byPointer = (document: unknown): Map<string, string> =>
  new Map(leavesOf(document).map(({ pointer, value }) => [pointer, JSON.stringify(value)]))
