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
import { numberFault } from '#json/written-number.ts'
import { type Json, objectOf } from '#platform/documents/document.ts'
import { textFault } from '#platform/stored-text.ts'
import type { FileFault } from './file-fault.ts'
import { namingTemplates } from './unquoted-template.ts'
import { isMergeKey, resolveMergeKeys } from './yaml-merge.ts'

/** A well-formed YAML file, with the means to find the place of a node in it. */
export interface YamlFile {
  readonly contents: Node | null
  /** @param node of `contents`, or nothing for the file as a whole */
  faultAt(node: unknown, message: string): FileFault
  /** Returns the node that an alias refers to; any other node is returned as it is. */
  resolve(node: unknown): unknown
  /** Whether it has aliases or merge keys, which may form cycles or expand to very much. */
  readonly refers: boolean
}

/** Maximum number of nodes and characters of a file with its aliases expanded: a small file can refer to very many. */
const mostNodes = 200_000
const mostText = 8 * 1_048_576
export const deepest = 64

/**
 * Reads YAML 1.2 with the core schema: one document, no tags but those of JSON's values, keys that are texts and occur
 * once. Merge keys (`<<`) are supported: a map has the pairs that they add.
 */
export function readYaml(file: string, text: string): YamlFile | { readonly faults: FileFault[] } {
  const yaml = parseYaml(file, text)
  if ('faults' in yaml || !yaml.refers) return yaml
  const whole = yamlToJson(yaml, yaml.contents)
  return 'faults' in whole ? whole : yaml
}

/**
 * Parses YAML without resolving references; if it `refers`, the caller checks the whole document before following them.
 */
export function parseYaml(file: string, text: string): YamlFile | { readonly faults: FileFault[] } {
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
      // The parser compares each key of a map with all before it, which takes seconds for ten thousand
      // (`faultsOfNodes`).
      uniqueKeys: false,
    }),
  ] as Document.Parsed[]
  const faults = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].flatMap(({ code, message, pos }) =>
      isMergeTag(code, text.slice(...pos)) ? [] : [place(pos[0], withAdvice(code, message))],
    ),
  )
  const bareReturn = text.search(/\r(?!\n)/)
  // In YAML this character ends a line; the parser would include the following text in the comment that contains it.
  if (bareReturn >= 0)
    faults.push(place(bareReturn, 'A line ends with a carriage return alone: save the file with LF.'))
  const [document, second] = documents
  const directive = document?.directives.yaml
  if (directive?.explicit && directive.version !== '1.2')
    faults.push(place(Math.max(0, text.search(/^%YAML/m)), otherVersion))
  for (const { node, message } of faultsOfNodes(document?.contents))
    faults.push(place((node as Node).range?.[0] ?? 0, message))
  if (second) faults.push(place(second.range[0], 'A second document begins here; a file holds one.'))
  // The parser's message at its maximum depth, repeated at each level on its way back.
  const endless = faults.find(({ message }) => message === 'Maximum call stack size exceeded')
  if (endless) return { faults: [{ ...endless, message: `Nested deeper than ${deepest} levels.` }] }
  if (faults.length > 0) return { faults: namingTemplates(text, faults) }
  const contents = document?.contents ?? null
  // Searched before merge keys are resolved: one may contain an anchor.
  const targets = document && /[*&]/.test(text) ? targetsIn(document) : new Map<Node, Node>()
  const refers = targets.size > 0 || /[*]|<</.test(text)
  const yaml: YamlFile = {
    contents,
    faultAt: (node, message) => place((node as Node | null)?.range?.[0] ?? 0, message),
    resolve: node => (isAlias(node) ? targets.get(node) : node),
    refers,
  }
  const wrong = refers ? resolveMergeKeys(contents, yaml.resolve) : []
  return wrong.length > 0 ? { faults: wrong.map(({ node, message }) => yaml.faultAt(node, message)) } : yaml
}

const otherVersion =
  'Only YAML 1.2 is read: remove this line, and write true and false for yes and no, and 0o17 for 017.'

/** `!!merge <<`, as yq writes merge keys: to the parser the key is no text. */
const isMergeTag = (code: string, at: string): boolean => code === 'NON_STRING_KEY' && at === '!!merge'

const withAdvice = (code: string, message: string): string =>
  code === 'TAG_RESOLVE_FAILED' ? `${message}. ${withoutTag}` : message

const withoutTag = 'Leave the tag out, and write the value as text, number, list or map.'

/**
 * Target of each alias: the last anchor of its name before it. The library would search the whole document for each
 * alias.
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
 * A value as the contents of a file, for rules that read files: writing ten thousand actions as text and reading them
 * again would take a second. Its nodes have no places: `faultAt` is the caller's.
 */
export function yamlContents(value: unknown): Node {
  return new Document(value, { version: '1.2', schema: 'core', aliasDuplicateObjects: false }).contents as Node
}

/** Faults of keys that occurred in the same map before, and of tags of values that JSON does not have, in no order. */
function faultsOfNodes(contents: Node | null | undefined): { node: unknown; message: string }[] {
  const found: { node: unknown; message: string }[] = []
  const left: unknown[] = [contents]
  while (left.length > 0) {
    const node = left.pop()
    const { tag } = (node ?? {}) as { tag?: string }
    if (tag !== undefined && otherTags.has(tag))
      found.push({ node, message: `The tag ${shortTag(tag)} is not taken. ${withoutTag}` })
    if (isSeq(node)) for (const item of node.items) left.push(item)
    if (!isMap(node)) continue
    const seen = new Set<unknown>()
    for (const { key, value } of node.items) {
      const { value: name } = key as Scalar
      if (seen.has(name))
        found.push({ node: key, message: `Map keys must be unique${isMergeKey(key) ? twoMerges : ''}` })
      seen.add(name)
      if (!isMergeKey(key)) left.push(key)
      left.push(value)
    }
  }
  return found
}

const twoMerges = ': write one "<<" with a list, <<: [*first, *second]; what an earlier one has counts.'

/** Tags that the parser knows besides those of JSON's values. */
const otherTags: ReadonlySet<string> = new Set(
  ['omap', 'pairs', 'set', 'binary', 'timestamp', 'merge'].map(name => `tag:yaml.org,2002:${name}`),
)

const shortTag = (tag: string): string => tag.replace(/^tag:yaml\.org,2002:/, '!!')

/** A node as JSON: only values that JSON can represent, numbers with all of their digits. */
export function yamlToJson(yaml: YamlFile, node: unknown): { value: Json } | { faults: FileFault[] } {
  const faults: FileFault[] = []
  let nodes = 0
  let size = 0
  // An excess caused by an alias is reported at the alias.
  let alias: unknown
  const fail = (at: unknown, message: string): null => {
    faults.push(yaml.faultAt(at, message))
    return null
  }
  const convert = (at: unknown, above: readonly unknown[]): Json => {
    if (++nodes > mostNodes) return nodes === mostNodes + 1 ? fail(alias ?? at, `More than ${mostNodes} values.`) : null
    if (above.length > deepest) return fail(at, `Nested deeper than ${deepest} levels.`)
    if (isAlias(at)) {
      const target = yaml.resolve(at)
      if (!target) return fail(at, `There is no anchor "${at.source}" before this.`)
      if (above.includes(target)) return fail(at, `"${at.source}" holds itself.`)
      const outer = alias
      alias ??= at
      const value = convert(target, above)
      alias = outer
      return value
    }
    if (isScalar(at)) return scalar(at)
    if (above.includes(at)) return fail(at, 'By its merge keys this holds itself.')
    if (isMap(at)) return objectOf(at.items.map(pair => [keyOf(pair), convert(pair.value, [...above, at])]))
    return isSeq(at) ? at.items.map(item => convert(item, [...above, at])) : null
  }
  const textAt = (at: unknown, text: string): string => {
    const before = size
    size += text.length
    if (size > mostText && before <= mostText)
      fail(alias ?? at, `With its aliases followed the file has more than ${mostText} characters.`)
    const fault = textFault(text)
    if (fault) fail(at, fault.detail)
    return text
  }
  const keyOf = ({ key }: Pair): string => textAt(key, String((key as Scalar).value))
  const scalar = (at: Scalar): Json => {
    const { value } = at
    if (typeof value === 'bigint' || typeof value === 'number') return number(at, Number(value))
    if (typeof value === 'string') return textAt(at, value)
    return value === null || typeof value === 'boolean' ? value : fail(at, 'Not a value.')
  }
  const number = (at: Scalar, value: number): Json => {
    const written = at.source ?? String(value)
    const fault = /^0[xo]/.test(written) ? numberFault(String(value)) : decimalFault(value, written)
    return fault === undefined ? value : fail(at, fault)
  }
  const value = convert(node, [])
  return faults.length > 0 ? { faults } : { value }
}

function decimalFault(value: number, written: string): string | undefined {
  if (/^[-+]?\.(?:inf|nan)$/i.test(written)) return `JSON has no such number: write "${written}" as a string.`
  if (/^[-+]?0\d/.test(written))
    return `A number that begins with 0 is octal to some readers and decimal to others: write "${written}" as a string, or ${value}${octalOf(written)}.`
  return numberFault(written)
}

const octalOf = (written: string): string =>
  /^0[0-7]+$/.test(written) ? `, or 0o${written.replace(/^0+(?=.)/, '')}` : ''
