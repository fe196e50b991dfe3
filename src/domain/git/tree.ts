/** Parsers of git's output about a commit's tree: values in, values out. */

/** A file of a commit's tree. */
export interface TreeEntry {
  readonly path: string
  readonly kind: 'file' | 'link' | 'folder' | 'submodule'
  readonly objectId: string
  /** Size of files and links. */
  readonly byteSize: number
}

const kinds: Readonly<Record<string, TreeEntry['kind']>> = {
  '040000': 'folder',
  '120000': 'link',
  '160000': 'submodule',
}

/** `100644 blob <id>      12<TAB>path`. */
export function readTreeEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t')
  const [mode = '', , objectId = '', size] = line.slice(0, tab).split(/ +/)
  return { path: line.slice(tab + 1), kind: kinds[mode] ?? 'file', objectId, byteSize: Number(size) || 0 }
}

/** `<id> blob <size>\n<bytes>\n`, repeated. `missing`: the first missing one; nothing is read after it. */
export function readBatch(answer: Buffer): { contents: Map<string, Buffer>; missing?: string } {
  const contents = new Map<string, Buffer>()
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(10, at)
    const [id = '', type, size] = answer.subarray(at, end).toString().split(' ')
    if (type === 'missing') return { contents, missing: id }
    contents.set(id, answer.subarray(end + 1, end + 1 + Number(size)))
    at = end + 2 + Number(size)
  }
  return { contents }
}
