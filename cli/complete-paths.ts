import { operations } from '../client/generated/api.ts'
import { isPart, matches, type Operation } from '../client/operation.ts'
import type { Sluice } from '../client/sluice.ts'
import { apiPath } from './place.ts'

/**
 * Completes a path: fixed segments come from the API's path templates, parameters (code, name, id) from lists of the
 * service. A path that can be continued ends with /.
 *
 * @param wanted whether a path template such as `/api/projects/{project_code}` is acceptable
 */
export async function pathCandidates(
  sluice: Sluice,
  typed: string,
  wanted: (template: string) => boolean,
): Promise<string[]> {
  if (!typed.startsWith('/')) return ['/']
  const prefix = typed.startsWith('/api/') ? '/api' : ''
  const segments = typed.slice(prefix.length).split('/')
  const done = segments.slice(0, -1)
  const begun = segments.at(-1)!
  const depth = done.length + 1
  const templates = [...allTemplates()].filter(wanted).map(template => template.split('/'))
  const going = templates.filter(template =>
    // The first segment of a template is empty, the second is `api`.
    done.every((segment, i) => i === 0 || isPart(template[i + 1] ?? '') || template[i + 1] === segment),
  )
  const found: string[] = []
  for (const next of new Set(going.flatMap(template => template[depth] ?? []))) {
    const values = isPart(next) ? await listed(sluice, apiPath(done.join('/')), begun) : [next]
    const ends = going.some(template => template[depth] === next && template.length === depth + 1)
    const goesOn = going.some(template => template[depth] === next && template.length > depth + 1)
    for (const value of values) {
      const path = `${prefix}${[...done, value].join('/')}`
      if (ends) found.push(path)
      if (goesOn) found.push(`${path}/`)
    }
  }
  return found
}

const allTemplates = () => new Set(operations.flatMap(({ path }) => withPrefixes(path)))

/** Returns a template and all its prefixes, for example `/api/projects` for every path in a project. */
function withPrefixes(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(2).map((_, i) => segments.slice(0, i + 3).join('/'))
}

/** Path values (code, name or id) of the records in the list at `path`. */
async function listed(sluice: Sluice, path: string, begun: string): Promise<string[]> {
  const list = operations.find(operation => operation.lists && matches(operation.path, path))
  if (!list) return []
  const key = keyOf(list)
  const narrowed = key === 'id' || begun === '' ? {} : { [`filter[${key}_start]`]: begun }
  const records = await sluice.list<Record<string, unknown>>(path, { limit: 200, ...narrowed })
  return records.map(({ id, attributes }) => encodeURIComponent(String(key === 'id' ? id : attributes[key])))
}

function keyOf(list: Operation): string {
  const below = operations.find(({ path }) => path.startsWith(`${list.path}/{`))
  const part = below?.path.slice(list.path.length + 2).split('}')[0] ?? 'id'
  if (part.endsWith('_code') || part === 'template_id') return 'code'
  return part
}
