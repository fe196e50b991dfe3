/** Texts of a found record that the search compares. */
export interface Texts {
  readonly name: string
  readonly code: string | null
  readonly path: string | null
  readonly id: string
}

/** Name of the attribute in which a record contains the text: the first that does, else its metadata. */
export function matchedIn(texts: Texts, text: string): 'code' | 'name' | 'path' | 'id' | 'metadata' {
  const wanted = text.toLowerCase()
  const found = (['code', 'name', 'path'] as const).find(each => texts[each]?.toLowerCase().includes(wanted))
  if (found) return found
  return texts.id.replaceAll('-', '').startsWith(wanted.replaceAll('-', '')) ? 'id' : 'metadata'
}

/** Rank of a match, the best first: the whole code or name, its beginning, the beginning of a word in it, or elsewhere. */
export function rankOf({ name, code }: Texts, text: string): number {
  const wanted = text.toLowerCase()
  const ranks = [code, name].map(each => {
    const at = each === null ? -1 : each.toLowerCase().indexOf(wanted)
    if (at < 0) return 4
    if (at === 0) return each!.length === wanted.length ? 0 : 1
    return /[\p{L}\p{N}]/u.test(each![at - 1]!) ? 3 : 2
  })
  return Math.min(...ranks)
}
