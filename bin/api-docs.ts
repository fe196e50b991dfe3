import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failureCodes, failureKinds } from '../src/platform/failure.ts'
import type { Route } from '../src/platform/http/routes.ts'
import { filterLimits } from '../src/platform/jsonapi/filters.ts'
import { predicates } from '../src/platform/jsonapi/predicates.ts'
import type { Resource } from '../src/platform/jsonapi/resource.ts'
import { pages } from './api-docs-pages.ts'
import { resourceSection, routesTable } from './api-docs-sections.ts'
import { currentRoutes } from './current-interface.ts'
import { code, rowOf } from './schema-in-words.ts'

/** docs/api generated from the current interface: file name → text. `bin/client` writes it; a test compares it. */
export const apiDocsFolder = join(import.meta.dirname, '../docs/api')

interface Interface {
  readonly routes: readonly Route[]
  readonly resources: readonly Resource[]
}

export async function apiDocs(): Promise<ReadonlyMap<string, string>> {
  const made = await currentRoutes()
  const known = new Set(pages.flatMap(({ subjects }) => subjects))
  const strange = [...new Set(made.routes.map(route => subjectOf(route, made.resources)))].filter(
    subject => !known.has(subject),
  )
  if (strange.length > 0) throw new Error(`bin/api-docs-pages.ts has no page for ${strange.join(', ')}`)
  return new Map([['README.md', front()], ...pages.map(page => [page.file, pageText(page, made)] as const)])
}

/** Subject of a route: the type of record that it returns or is named after, otherwise that name. */
function subjectOf(route: Route, resources: readonly Resource[]): string {
  if (route.kind === 'list' || route.kind === 'show') return route.resource.type
  if (route.kind === 'command' && route.command.answers) return route.command.answers
  const [name = ''] = route.operationId.replace(/_\d+$/, '').split('.')
  return resources.find(({ type }) => name === type.replace(/y$/, 'ie').replace(/s?$/, 's'))?.type ?? name
}

const madeBy =
  '<!-- Made by bin/client from what the routes and resources of the code say of themselves; edit those. -->'

function pageText({ title, about, subjects }: (typeof pages)[number], { routes, resources }: Interface): string {
  const sections = subjects.map(subject => {
    const own = routes.filter(route => subjectOf(route, resources) === subject)
    const resource = resources.find(({ type }) => type === subject)
    return { own, resource }
  })
  const withoutRecord = sections.flatMap(({ own, resource }) => (resource ? [] : own))
  return `${madeBy}
# ${title}

${about[0]!.toUpperCase()}${about.slice(1)}

[All pages, and what holds for every request](README.md).

${[
  ...sections.flatMap(({ own, resource }) => (resource ? [resourceSection(resource, own)] : [])),
  ...(withoutRecord.length > 0 ? [`## Besides\n\n${routesTable(withoutRecord)}`] : []),
].join('\n\n')}
`
}

const front = (): string => `${madeBy}
# The interface

${pages.map(({ file, title, about }) => `* [${title}](${file}): ${about}`).join('\n')}

\`/api/openapi.json\` is the same as OpenAPI 3.1, for programs; \`/api-docs\` shows that as a page. What Prometheus reads at
\`/metrics\` is not part of it, and documented [separately](../operations/metrics.md). The examples on these
pages take the service's address from \`$SLUICE\` and \`user:password\` from \`$SLUICE_USER\`.

## Who asks

HTTP Basic (\`--user ann:password\`), a token (\`Authorization: Bearer …\`, from \`POST /api/tokens\`), or the cookie of a
session (\`POST /api/tokens/session\`), whose writes carry \`X-CSRF-Token\` as well. [Who may do what](../guides/rights.md)
says what the rights in the tables mean; \`{path}\` is the path of the record, or of what it belongs to. A caller
who may not read a record gets 404.

## Requests and answers

Both are [JSON:API](https://jsonapi.org/format/). A body is \`{"data": {"attributes": {…}}}\`, of at most 1 MiB where
nothing else is said. Enumerations may gain values: ignore what you do not know.

* Records and lists carry an \`ETag\`, downloads do not; \`If-None-Match\` with it is answered with 304 if the response
  would be the same. \`If-Match\` with the ETag of a record: 412 for a write if the record has changed meanwhile.
* A POST with an \`Idempotency-Key\` can be sent again: it is done once, and answered twice alike; not where it answers a
  secret, which is not stored.
* \`include=a,b.c\` adds the records of relationships, \`fields[type]=a,b\` leaves out attributes and relationships; of
  the record that a write answers, too.

## Lists

A list takes \`limit\` (100 where nothing else is said, at most 10,000), and answers 206 with \`links.next\` where there is
more; the next page is stable while records come and go. \`total=true\` counts, up to 10,000, and
\`count_by=status_code\` counts by the values of an attribute that has few (\`meta.counts\`). \`download=<file name>\` is the
list as CSV, as is \`Accept: text/csv\`. Of log lines, \`Accept: text/plain\` or a name that ends in \`.log\` or \`.txt\` is their
text alone.

\`filter[<attribute>_<predicate>]=<value>\`, at most ${filterLimits.filters}, all of which have to hold, or with
\`filter[m]=or\` one. A list of values is \`filter[…][]=a&filter[…][]=b\`, at most ${filterLimits.values}.
\`filter[sorts]=name desc\`, several as \`filter[sorts][]=\`, at most ${filterLimits.sorts}. \`filter[mine]=true\` leaves the
records that you made, where records say who made them. Whatever is unknown is refused with 400.

| predicate | holds where the attribute | of |
|---|---|---|
${Object.entries(predicates)
  .map(([name, { why, kinds }]) => rowOf([code(name), why, kinds.join(', ')]))
  .join('\n')}

Attributes of the kind json are arrays and objects; opaque ones are encrypted, and can be neither filtered nor sorted by.

## Errors

\`{"errors": [{"id", "status", "code", "title", "detail", "source", "meta"}]}\`; \`source\` has the pointer into the body, the
parameter or the header that is meant. Programs go by \`code\`:

| code | status | means |
|---|---|---|
${Object.entries(failureCodes)
  .map(([name, row]) =>
    rowOf([code(name), String('status' in row ? row.status : failureKinds[row.kind].status), row.why]),
  )
  .join('\n')}
`

/** Writes changed pages, and deletes pages that no longer exist. */
export async function writeApiDocs(): Promise<void> {
  const docs = await apiDocs()
  mkdirSync(apiDocsFolder, { recursive: true })
  for (const file of readdirSync(apiDocsFolder)) if (!docs.has(file)) rmSync(join(apiDocsFolder, file))
  for (const [file, text] of docs) writeFileSync(join(apiDocsFolder, file), text)
}
