/** Labels by which a file that a step leaves can be found: texts under names of the user's choice. */
export type Labels = { readonly [name: string]: string }

/** Maximum size as JSON of the labels of one file: they travel in a header. */
const mostBytes = 4_096

/** Why a value is not what can be kept as the labels of a file; undefined where it is. */
export function wrongLabels(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `labels are an object of texts, such as {"kind": "report"}`
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string') return `the label ${JSON.stringify(name)} is no text`
    if ([name, text].some(each => each.includes('\0') || !each.isWellFormed()))
      return `the label ${JSON.stringify(name)} holds U+0000 or half of a surrogate pair, which cannot be kept`
  }
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return bytes > mostBytes ? `the labels have ${bytes} bytes as JSON; at most ${mostBytes} are kept` : undefined
}
