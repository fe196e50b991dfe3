import { shellWord as quoted } from '../../components/command/words.ts'

/** Properties that a definition refers to by `{{path}}`, in the order of their first place. */
export const placeholdersIn = (source: string): string[] => [
  ...new Set(
    source
      .split('\n')
      .filter(line => !/^\s*#/.test(line))
      .flatMap(line => [...line.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map(([, path = '']) => path)),
  ),
]

/**
 * Overrides for a run from the texts of the form: `release.tag` becomes `{ release: { tag } }`. Empty texts are left out;
 * JSON becomes its value, anything else a text.
 */
export function overridesOf(texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const overrides: Record<string, unknown> = {}
  for (const [path, text] of Object.entries(texts)) {
    if (text.trim() === '') continue
    const keys = path.split('.')
    const last = keys.pop() ?? path
    let place = overrides
    for (const key of keys) {
      const inner = Object.hasOwn(place, key) ? place[key] : undefined
      const next = isObject(inner) ? inner : {}
      place[key] = next
      place = next
    }
    place[last] = jsonOrText(text)
  }
  return overrides
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is meant as a text.
    return text
  }
}

/** Metadata from lines of `key=value`; `wrong` is the first line that is none. */
export function metadataOf(text: string): { readonly metadata: Record<string, string>; readonly wrong?: string } {
  const metadata: Record<string, string> = {}
  for (const line of linesOf(text)) {
    const [, key, value] = /^([^=\s][^=]*)=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) return { metadata, wrong: line }
    metadata[key.trim()] = value.trim()
  }
  return { metadata }
}

/** Lines of a text area that have content. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

interface RunCommand {
  readonly project: string
  readonly code: string
  readonly version: number | undefined
  readonly values: Readonly<Record<string, string>>
  readonly skip: readonly string[]
}

/** Command line that creates the same run. */
export const runCommand = ({ project, code, version, values, skip }: RunCommand): string =>
  [
    `sluice workflow-runs create /projects/${project} ${code}`,
    ...(version === undefined ? [] : [`--version ${version}`]),
    ...Object.entries(values).flatMap(([path, text]) =>
      text.trim() === '' ? [] : [`--property ${quoted(`${path}=${text}`)}`],
    ),
    ...skip.map(each => `--skip ${quoted(each)}`),
  ].join(' ')
