import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
  type Scalar,
  visit,
} from 'yaml'
import { type Json, objectOf } from '#platform/documents/document.ts'
import { textFault } from '#platform/stored-text.ts'
import type { FileFault } from './file-fault.ts'

/** A YAML file that is well-formed, and the means to say where in it something stands. */
export interface YamlFile {
  readonly contents: Node | null
  /** @param node of `contents`, or nothing for the file as a whole */
  faultAt(node: unknown, message: string): FileFault
  /** What an alias stands for; any other node is itself. */
  resolve(node: unknown): unknown
}

/** Aliases that a file may hold, and nodes that it may come to once they are followed: a small file can name very many. */
const mostAliases = 100
const mostNodes = 200_000
export const deepest = 64

/**
 * Reads YAML 1.2 with the core schema: no tags of its own, one document, keys that are text and stand once.
 */
export function readYaml(file: string, text: string): YamlFile | { readonly faults: FileFault[] } {
  const lines = new LineCounter()
  const place = (offset: number, message: string): FileFault => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), message }
  }
  const documents = [
    ...parseAllDocuments(text, {
      lineCounter: lines,
      version: '1.2',
      schema: 'core',
      stringKeys: true,
      intAsBigInt: true,
      prettyErrors: false,
      // It compares each key of a map with all before it, which takes seconds for ten thousand (`keysTwice`).
      uniqueKeys: false,
    }),
  ] as Document.Parsed[]
  const faults = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ message, pos }) => place(pos[0], message)),
  )
  for (const { key } of keysTwice(documents[0]?.contents))
    faults.push(place((key as Scalar).range?.[0] ?? 0, 'Map keys must be unique'))
  const second = documents[1]
  if (second) faults.push(place(second.range[0], 'A second document begins here; a file holds one.'))
  // The parser's own words once it cannot go deeper, which it says at each level on its way back.
  const endless = faults.find(({ message }) => message === 'Maximum call stack size exceeded')
  if (endless) return { faults: [{ ...endless, message: `Nested deeper than ${deepest} levels.` }] }
  if (faults.length > 0) return { faults }
  const document = documents[0]
  let targets: ReadonlyMap<Node, Node> | undefined
  return {
    contents: document?.contents ?? null,
    faultAt: (node, message) => place((node as Node | null)?.range?.[0] ?? 0, message),
    resolve: node => {
      if (!isAlias(node) || !document) return node
      targets ??= targetsIn(document)
      return targets.get(node)
    },
  }
}

/**
 * What each alias stands for: the last anchor of its name before it. The library looks for it through the whole document,
 * for each alias anew.
 */
function targetsIn(document: Document.Parsed): ReadonlyMap<Node, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Node, Node>()
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source)
        if (target) targets.set(node, target)
      } else if (node.anchor) anchors.set(node.anchor, node)
    },
  })
  return targets
}

/**
 * A value as the contents of a file that says it, for rules that read files: writing ten thousand actions as text and
 * reading that again would take a second. Nothing of it stands anywhere: `faultAt` is the caller's.
 */
export function yamlContents(value: unknown): Node {
  return new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false }).contents as Node
}

/** The pairs of all maps whose key stands in the same map before, in no order. */
function keysTwice(contents: Node | null | undefined): Pair[] {
  const found: Pair[] = []
  const left: unknown[] = [contents]
  while (left.length > 0) {
    const node = left.pop()
    if (isSeq(node)) for (const item of node.items) left.push(item)
    if (!isMap(node)) continue
    const seen = new Set<unknown>()
    for (const pair of node.items) {
      const { value } = pair.key as Scalar
      if (seen.has(value)) found.push(pair)
      seen.add(value)
      left.push(pair.value)
    }
  }
  return found
}

/**
 * A node as JSON: only what JSON can carry, whole numbers that keep their digits.
 */
export function yamlToJson(yaml: YamlFile, node: unknown): { value: Json } | { faults: FileFault[] } {
  const faults: FileFault[] = []
  let aliases = 0
  let nodes = 0
  const fail = (at: unknown, message: string): null => {
    faults.push(yaml.faultAt(at, message))
    return null
  }
  const convert = (at: unknown, above: readonly unknown[]): Json => {
    if (++nodes > mostNodes) return nodes === mostNodes + 1 ? fail(at, `More than ${mostNodes} values.`) : null
    if (above.length > deepest) return fail(at, `Nested deeper than ${deepest} levels.`)
    if (isAlias(at)) {
      if (++aliases > mostAliases)
        return aliases === mostAliases + 1 ? fail(at, `More than ${mostAliases} aliases.`) : null
      const target = yaml.resolve(at)
      if (!target) return fail(at, `There is no anchor "${at.source}" before this.`)
      if (above.includes(target)) return fail(at, `"${at.source}" holds itself.`)
      return convert(target, above)
    }
    if (isMap(at)) return objectOf(at.items.map(pair => [keyOf(pair), convert(pair.value, [...above, at])]))
    if (isSeq(at)) return at.items.map(item => convert(item, [...above, at]))
    return isScalar(at) ? scalar(at) : null
  }
  const keyOf = (pair: Pair): string => {
    const key = String((pair.key as Scalar).value)
    if (key === '<<') fail(pair.key, 'Merge keys ("<<") are not taken: write the keys out.')
    const fault = textFault(key)
    if (fault) fail(pair.key, fault.detail)
    return key
  }
  const scalar = (at: Scalar): Json => {
    const { value } = at
    if (typeof value === 'bigint' || typeof value === 'number') return number(at, Number(value))
    const fault = typeof value === 'string' ? textFault(value) : undefined
    if (fault) return fail(at, fault.detail)
    return value === null || typeof value === 'boolean' || typeof value === 'string' ? value : fail(at, 'Not a value.')
  }
  const number = (at: Scalar, value: number): Json => {
    if (!Number.isFinite(value)) return fail(at, 'JSON has no such number.')
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return fail(at, 'A whole number beyond 2^53 loses digits: write it as a string.')
    return value
  }
  const value = convert(node, [])
  return faults.length > 0 ? { faults } : { value }
}
