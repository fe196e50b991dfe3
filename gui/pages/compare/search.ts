/** Search parameters of the comparison: the paths of both nodes. */
export interface CompareSearch {
  readonly a?: string
  readonly b?: string
}

export function readCompareSearch({ a, b }: Readonly<Record<string, unknown>>): CompareSearch {
  return { ...(isPath(a) && { a }), ...(isPath(b) && { b }) }
}

const isPath = (value: unknown): value is string => typeof value === 'string' && value !== ''
