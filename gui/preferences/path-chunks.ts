/** Characters of paths in one request: proxies refuse long addresses. */
const longest = 3_000

/** Parts of a list of paths that fit into the address of a request each. */
export function chunksOf(paths: readonly string[], most = longest): string[][] {
  const chunks: string[][] = []
  let room = 0
  for (const path of paths) {
    const length = encodeURIComponent(path).length
    if (chunks.length === 0 || length > room) {
      chunks.push([])
      room = most
    }
    chunks.at(-1)!.push(path)
    room -= length
  }
  return chunks
}
