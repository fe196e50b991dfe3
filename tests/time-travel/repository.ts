import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/platform/documents/document.ts'
import { brokenFolder, documents, marked } from './documents.ts'

/** Property files of a commit, written in the three possible formats. */

type Form = 'json' | 'yaml' | 'yml' | 'toml'
export type PropertyFiles = readonly { readonly place: number; readonly form: Form; readonly document: JsonObject }[]

/** Folders and names; `P` is the project's code. Some apply to no node. */
const places = [
  'web/defaults',
  'bot/defaults',
  'web/others',
  '.sluice/properties/all',
  '.sluice/properties/All',
  '.sluice/properties/projects/all',
  '.sluice/properties/projects/P/own',
  '.sluice/properties/projects/other/own',
  '.sluice/properties/projects/P/environments/all',
  '.sluice/properties/projects/P/environments/e/own',
  '.sluice/properties/templates/web/own',
  '.sluice/properties/templates/bot/own',
  '.sluice/properties/projects/P/assets/all',
  '.sluice/properties/projects/P/assets/a/own',
  '.sluice/properties/projects/P/assets/b/own',
  '.sluice/properties/projects/P/environments/e/assets/all',
  '.sluice/properties/projects/P/environments/e/assets/b/own',
  '.sluice/properties/projects/P/agents/all',
  '.sluice/properties/projects/P/agents/g/own',
  'ops/properties/all',
  'ops/properties/projects/P/own',
  'ops/properties/templates/web/own',
] as const

export const propertyFiles: fc.Arbitrary<PropertyFiles> = fc.uniqueArray(
  fc.record({
    place: fc.nat(places.length - 1),
    form: fc.constantFrom<Form>('json', 'yaml', 'yml', 'toml'),
    document: documents,
  }),
  { selector: ({ place, form }) => `${place} ${form}`, minLength: 2, maxLength: 9 },
)

/** Content of a commit: the texts for git, and the parsed documents. */
export interface Commit {
  readonly texts: Readonly<Record<string, string>>
  readonly documents: Readonly<Record<string, JsonObject>>
}

export function commitOf(files: PropertyFiles, project: string, by: string): Commit {
  const commit = {
    texts: { ...alwaysThere(by) } as Record<string, string>,
    documents: {} as Record<string, JsonObject>,
  }
  for (const [index, { place, form, document }] of files.entries()) {
    const path = `${places[place]!.replace('/P/', `/${project}/`)}.${form}`
    const content = form === 'toml' ? (withoutNulls(marked(document, `${by}.${index}`)) as JsonObject) : document
    commit.documents[path] = form === 'toml' ? content : marked(content, `${by}.${index}`)
    commit.texts[path] = written[form](commit.documents[path])
  }
  return commit
}

/** `by` makes every commit different. */
const alwaysThere = (by: string) => ({
  'web/actions.yaml': 'actions:\n  go: { description: Goes, run: echo }\n',
  'bot/agent.sh': `# ${by}\n`,
  [`${brokenFolder}/properties/all.yaml`]: 'a: [',
})

const written: Record<Form, (document: JsonObject) => string> = {
  json: document => JSON.stringify(document, null, 2),
  yaml: document => block(document, '') || '{}\n',
  yml: document => `# In one line.\n${JSON.stringify(document)}\n`,
  toml: document =>
    Object.entries(document)
      .map(([name, value]) => `${JSON.stringify(name)} = ${inline(value)}\n`)
      .join(''),
}

function block(document: JsonObject, indent: string): string {
  return Object.entries(document)
    .map(([name, value]) => {
      const nested =
        typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      const below = nested ? `\n${block(value as JsonObject, `${indent}  `)}` : ` ${JSON.stringify(value)}\n`
      return `${indent}${JSON.stringify(name)}:${below}`
    })
    .join('')
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)} = ${inline(each)}`)
  return `{ ${members.join(', ')} }`
}

/** TOML has none. */
function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.filter(each => each !== null).map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(members.map(([name, each]) => [name, withoutNulls(each)])) as JsonObject
}
