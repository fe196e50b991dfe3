import type { ByteWriter } from './byte-writer.ts'

/** A layer as it is stored: `text` is a JSON object as `textOf` writes it, without white space. */
export interface LayerText {
  readonly source: string
  readonly text: Buffer
}

export interface MergedTexts {
  /** The converged document, as `mergeLayers` makes it. */
  writeData(out: ByteWriter): void
  /** The source of each leaf in the same shape: arrays element by element, an empty object or array as one leaf. */
  writeSources(out: ByteWriter): void
}

/**
 * Converges layers from text to text: what one layer states is copied as it stands, in the longest pieces that there are.
 * To parse the layers, label their leaves and write both documents took 13 ms for a megabyte; this takes 4. What `textOf`
 * wrote has one form only: keys are equal where their texts are, and every removal reads the same. The texts are read as
 * one character for each byte: what has a meaning in JSON is ASCII, and all else is only copied.
 */
export function mergeTexts(layers: readonly LayerText[]): MergedTexts {
  const root = noMembers()
  const sources = layers.map(({ source, text }): Source => {
    const label = Buffer.from(JSON.stringify(source))
    return { bytes: text, text: text.toString('latin1'), label, labelText: label.toString('latin1') }
  })
  for (const [layer, { text }] of sources.entries()) readMembers(text, 1, layer, root)
  return {
    writeData: out => writeData(out, root, sources),
    writeSources: out => {
      if (root.byKey.size > 0) writeSources(out, root, sources)
      else out.copy(sources[0]?.label ?? Buffer.from('""'))
    },
  }
}

/** A layer and what its leaves are labelled with, each as bytes to be copied and as text to be looked through. */
interface Source {
  readonly bytes: Uint8Array
  readonly text: string
  readonly label: Uint8Array
  readonly labelText: string
}

interface Members {
  /** By the text of the key between its quotes, in the order in which they are first seen. */
  readonly byKey: Map<string, Member>
  /** One of the keys begins with a digit. */
  numbered: boolean
}

const noMembers = (): Members => ({ byKey: new Map(), numbered: false })

interface Member {
  /** Layer whose text contains the value; for an object, the first one that has it. */
  layer: number
  /** Where `"key":value` begins in that text, where the value begins, and where both end. */
  start: number
  value: number
  end: number
  /** Members of an object, to which several layers may contribute. */
  members: Members | undefined
}

const [quote, comma, zero, nine, backslash] = [0x22, 0x2c, 0x30, 0x39, 0x5c]
const [bracket, closingBracket, brace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
const colon = 0x3a
const punctuation = new Set([comma, bracket, closingBracket, brace, closingBrace])
const removal = '{"$remove":true}'

/** Reads the members of an object, whose first begins at `at`, into those of the layers before. Answers where it ends. */
function readMembers(text: string, at: number, layer: number, into: Members): number {
  if (text.charCodeAt(at) === closingBrace) return at + 1
  for (;;) {
    const start = at
    const keyEnd = endOfString(text, at)
    const key = text.slice(start + 1, keyEnd - 1)
    const value = keyEnd + 1
    const first = text.charCodeAt(start + 1)
    if (first >= zero && first <= nine) into.numbered = true
    if (text.charCodeAt(value) !== brace) {
      at = endOfLeaf(text, value)
      const there = into.byKey.get(key)
      if (there === undefined) into.byKey.set(key, { layer, start, value, end: at, members: undefined })
      else {
        there.layer = layer
        there.start = start
        there.value = value
        there.end = at
        there.members = undefined
      }
    } else if (text.startsWith(removal, value)) {
      into.byKey.delete(key)
      at = value + removal.length
    } else {
      let there = into.byKey.get(key)
      if (there?.members === undefined) {
        there = { layer, start, value, end: 0, members: noMembers() }
        into.byKey.set(key, there)
      }
      at = readMembers(text, value + 1, layer, there.members!)
    }
    if (text.charCodeAt(at) !== comma) return at + 1
    at++
  }
}

/** @param at at the opening quote. Answers what follows the closing one. */
function endOfString(text: string, at: number): number {
  for (let from = at + 1; ; ) {
    const end = text.indexOf('"', from)
    if (end < 0) throw brokenOff()
    let slashes = end
    while (text.charCodeAt(slashes - 1) === backslash) slashes--
    // An even number of backslashes are characters themselves.
    if ((end - slashes) % 2 === 0) return end + 1
    from = end + 1
  }
}

/** End of any value but an object. */
function endOfLeaf(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === quote) return endOfString(text, at)
  if (first === bracket) return endOfArray(text, at)
  for (;;) {
    const code = text.charCodeAt(++at)
    if (at >= text.length) throw brokenOff()
    if (code === comma || code === closingBrace || code === closingBracket) return at
  }
}

function endOfArray(text: string, at: number): number {
  for (let depth = 0; ; ) {
    if (at >= text.length) throw brokenOff()
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else {
      at++
      if (code === bracket || code === brace) depth++
      else if ((code === closingBracket || code === closingBrace) && --depth === 0) return at
    }
  }
}

/**
 * Error for a stored document that breaks off: it was encrypted as a whole and is decrypted as a whole, so this must
 * not happen; but no reader may wait for its end.
 */
const brokenOff = () => new Error('a stored document breaks off')

function writeData(out: ByteWriter, members: Members, sources: readonly Source[]): void {
  out.byte(brace)
  // A run of members that follow one another in one text as they do here is copied whole.
  let layer = -1
  let from = 0
  let to = -1
  const writeRun = () => {
    if (to < 0) return
    out.copy(sources[layer]!.bytes, from, to)
    out.byte(comma)
  }
  for (const member of inOrder(members)) {
    const isLeaf = member.members === undefined
    if (isLeaf && member.layer === layer && member.start === to + 1) {
      to = member.end
      continue
    }
    writeRun()
    if (member.members === undefined) {
      layer = member.layer
      from = member.start
      to = member.end
    } else {
      layer = -1
      to = -1
      out.copy(sources[member.layer]!.bytes, member.start, member.value)
      writeData(out, member.members, sources)
      out.byte(comma)
    }
  }
  writeRun()
  writeEnd(out, members)
}

/** In the place of the last comma, if there is one. */
const writeEnd = (out: ByteWriter, { byKey }: Members): void =>
  byKey.size > 0 ? out.overwrite(closingBrace) : out.byte(closingBrace)

function writeSources(out: ByteWriter, members: Members, sources: readonly Source[]): void {
  out.byte(brace)
  for (const { layer, start, value, end, members: below } of inOrder(members)) {
    const { bytes, text, label, labelText } = sources[layer]!
    out.copy(bytes, start, value)
    if (below !== undefined && below.byKey.size > 0) writeSources(out, below, sources)
    else if (below === undefined && bytes[value] === bracket)
      out.copy(Buffer.from(labelled(text, value, end, labelText), 'latin1'))
    else out.copy(label)
    out.byte(comma)
  }
  writeEnd(out, members)
}

/** As JavaScript orders the keys of an object: those that are array indices first, by size. */
function inOrder({ byKey, numbered }: Members): Iterable<Member> {
  if (!numbered) return byKey.values()
  const indices = [...byKey].filter(([key]) => isIndex(key)).sort(([a], [b]) => Number(a) - Number(b))
  return [...indices, ...[...byKey].filter(([key]) => !isIndex(key))].map(([, member]) => member)
}

const isIndex = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1

/** An array in the shape of its own, with the label in the place of every leaf: all of it came from one source. */
function labelled(text: string, array: number, end: number, label: string): string {
  let out = ''
  for (let at = array; at < end; ) {
    const code = text.charCodeAt(at)
    const isEmpty = code === bracket ? text.charCodeAt(at + 1) === closingBracket : text.startsWith('{}', at)
    if (isEmpty) {
      out += label
      at += 2
    } else if (code === quote) {
      const after = endOfString(text, at)
      const isKey = text.charCodeAt(after) === colon
      out += isKey ? text.slice(at, after + 1) : label
      at = isKey ? after + 1 : after
    } else if (punctuation.has(code)) {
      out += text[at]
      at++
    } else {
      out += label
      at = endOfLeaf(text, at)
    }
  }
  return out
}
