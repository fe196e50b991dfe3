import { eventStream } from './accept.ts'

interface Operation {
  operationId: string
  summary: string
  parameters: { name: string; in: string; description?: string }[]
  responses: Record<string, { description?: string; content?: Record<string, unknown> }>
}

/** The interface as one page without scripts, so that it reads on any machine, offline too. */
export function apiDocsPage(openApi: object, version: string): string {
  const { paths } = openApi as { paths: Record<string, Record<string, Operation>> }
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => row(method, path, operation)),
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sluice API ${escaped(version)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
code, h3 { font-family: ui-monospace, monospace } h3 { margin: 1.5rem 0 0; font-size: 1rem }
small { color: #666 } dt { float: left; clear: left; min-width: 14rem }
</style>
<h1>Sluice API</h1>
<p>Interface version ${escaped(version)}. As OpenAPI 3.1: <a href="/api/openapi.json">/api/openapi.json</a>.</p>
${rows.join('\n')}
</html>
`
}

function row(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.map(
    ({ name, in: where, description }) =>
      `<dt><code>${escaped(name)}</code> <small>${escaped(where)}</small></dt><dd>${escaped(description ?? '')}&nbsp;</dd>`,
  )
  return `<h3 id="${escaped(operation.operationId)}">${method.toUpperCase()} ${escaped(path)}</h3>
<p>${escaped(operation.summary)} <small>${escaped(Object.keys(operation.responses).join(', '))}</small></p>
${stream(operation)}<dl>${parameters.join('')}</dl>`
}

/** Documentation of a stream of server-sent events: how to listen to it, and its kinds of messages. */
function stream({ responses }: Operation): string {
  const { description = '', content = {} } = responses['200'] ?? {}
  if (!content[eventStream]) return ''
  const [how = '', ...kinds] = description.split('\n')
  const items = kinds.map(line => `<li>${code(line.replace(/^\* /, ''))}</li>`)
  return `<p>${code(how)}</p>\n<ul>${items.join('')}</ul>\n`
}

const code = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replace(/[&<>"]/g, found => escapes[found]!)
