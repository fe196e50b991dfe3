import { isAlias, isScalar, LineCounter, parseAllDocuments, type Scalar, visit } from 'yaml'
import { numberFault } from '../json/written-number.ts'

/**
 * Parses YAML 1.2 or JSON without loss: numbers that would lose digits, tags without a JSON value and duplicate keys are
 * errors.
 *
 * @throws Error with line and column in its message
 */
export function readDocument(text: string): unknown {
  const lines = new LineCounter()
  const refuse = (offset: number, message: string): never => {
    const { line, col } = lines.linePos(offset)
    throw new Error(`line ${Math.max(line, 1)}, column ${Math.max(col, 1)}: ${message}`)
  }
  const options = { version: '1.2', schema: 'core', merge: true, stringKeys: true, intAsBigInt: true } as const
  const documents = [...parseAllDocuments(text, { ...options, lineCounter: lines, prettyErrors: false })]
  const [document, second] = documents as Exclude<(typeof documents)[number], undefined>[]
  for (const { errors, warnings } of documents as { errors: Problem[]; warnings: Problem[] }[])
    for (const { message, pos } of [...errors, ...warnings]) refuse(pos[0], message)
  if (!document) return null
  if (second) refuse(second.range?.[0] ?? 0, 'a second document starts here; only one is allowed.')
  const { yaml } = document.directives ?? {}
  if (yaml?.explicit && yaml.version !== '1.2')
    refuse(Math.max(0, text.search(/^%YAML/m)), 'only YAML 1.2 is supported; remove this line.')
  visit(document, {
    Node: (_, node) => {
      const at = node.range?.[0] ?? 0
      if (!isAlias(node) && otherTags.test(node.tag ?? '')) refuse(at, `the tag ${node.tag} is not supported.`)
      const fault = isScalar(node) ? scalarFault(node) : undefined
      if (fault !== undefined) refuse(at, fault)
    },
  })
  return plain(document.toJS({ maxAliasCount: 10_000 }))
}

interface Problem {
  readonly message: string
  readonly pos: readonly [number, number]
}

/** Tags that the parser supports but JSON has no value for. */
const otherTags = /^tag:yaml\.org,2002:(?:omap|pairs|set|binary|timestamp)$/

function scalarFault({ value, source = '' }: Scalar): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined
  if (/^[-+]?0\d/.test(source)) return `a number with a leading 0 is ambiguous; write "${source}" in quotes.`
  return numberFault(/^0[xo]/.test(source) ? String(value) : source)
}

/** Converts bigints, which were checked to fit, to numbers. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
