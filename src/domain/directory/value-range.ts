/** A part of the values of an attribute, as Active Directory returns attributes with many values. */
export interface Ranged {
  readonly values: readonly string[]
  readonly from: number
  readonly to: number
  /** Attribute option to read the next part; undefined after the last one. */
  readonly next: string | undefined
}

/** The part of an attribute in an entry: `member;range=0-1499`, the last one ending with `*`. */
export function rangeOf(entry: Readonly<Record<string, unknown>>, attribute: string): Ranged | undefined {
  for (const [name, told] of Object.entries(entry)) {
    const [base, ...options] = name.split(';')
    const range = options.map(option => /^range=(\d+)-(\d+|\*)$/i.exec(option)).find(each => each !== null)
    if (base!.toLowerCase() !== attribute.toLowerCase() || !range) continue
    const values = [told].flat().map(String)
    const from = Number(range[1])
    const to = from + values.length - 1
    const isLast = range[2] === '*' || values.length === 0
    return { values, from, to, next: isLast ? undefined : `${attribute};range=${to + 1}-*` }
  }
  return undefined
}
