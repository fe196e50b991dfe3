import { shellWord as quoted } from '../../components/command/words.ts'
import { argumentText } from '../run/command-line.ts'
import type { Metadata } from '../run/metadata-lines.ts'
import { typedValue } from '../run/typed-value.ts'

/** Properties that a definition refers to by `{{path}}`, in the order of their first place. */
export const placeholdersIn = (source: string): string[] => [
  ...new Set(
    source
      .split('\n')
      .filter(line => !/^\s*#/.test(line))
      .flatMap(line => [...line.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map(([, path = '']) => path)),
  ),
]

interface Overrides {
  readonly overrides: Readonly<Record<string, unknown>>
  /** What is wrong with a text, by its path. */
  readonly faults: Readonly<Record<string, string>>
}

/**
 * Overrides for a run from the texts of the form: `release.tag` becomes `{ release: { tag } }`. Empty texts are left
 * out; values keep their type by the rule of `typedValue`.
 */
export function overridesOf(texts: Readonly<Record<string, string>>): Overrides {
  const overrides: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const [path, text] of Object.entries(texts)) {
    if (text.trim() === '') continue
    const typed = typedValue(text)
    if ('fault' in typed) faults[path] = typed.fault
    else setAt(overrides, path.split('.'), typed.value)
  }
  return { overrides, faults }
}

function setAt(overrides: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path.at(-1) ?? ''
  let place = overrides
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(place, key) ? place[key] : undefined
    const next = isObject(inner) ? inner : {}
    place[key] = next
    place = next
  }
  place[last] = value
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

interface RunCommand {
  readonly project: string
  readonly code: string
  readonly version: number | undefined
  /** Start, as ISO 8601. */
  readonly runAt?: string | undefined
  /** Texts of the overrides by their paths. */
  readonly values: Readonly<Record<string, string>>
  readonly metadata: Metadata
  readonly skip: readonly string[]
}

/** Command line that creates the same run. */
export const runCommand = ({ project, code, version, runAt, values, metadata, skip }: RunCommand): string =>
  [
    `sluice workflow-runs create /projects/${project} ${code}`,
    ...(version === undefined ? [] : [`version=${version}`]),
    ...(runAt === undefined ? [] : [`run_at=${runAt}`]),
    ...Object.entries(values).flatMap(([path, text]) => {
      const typed = typedValue(text)
      if (text.trim() === '' || 'fault' in typed) return []
      return [`--property ${quoted(`${path}=${argumentText(typed.value)}`)}`]
    }),
    ...Object.entries(metadata).map(([name, value]) => `--metadata ${quoted(`${name}=${argumentText(value)}`)}`),
    ...skip.map(each => `--skip ${quoted(each)}`),
  ].join(' ')
