import { operations } from '../client/generated/api.ts'
import { matches, type Operation } from '../client/operation.ts'
import { WrongUsage } from './wrong-usage.ts'

/** An operation and its path with all parameters filled in: `/api/projects/bank/assets/web`. */
export interface Place {
  readonly operation: Operation
  readonly path: string
}

/**
 * Resolves arguments to exactly one of the candidate operations. Three forms are accepted:
 *
 *     /projects/bank/assets/web      the path, with or without /api
 *     bank web                       values of the path parameters, if only one candidate has this many
 *     /projects/bank                 the parent of a list
 *
 * @param what error text if no arguments are given
 */
export function placeAmong(candidates: readonly Operation[], words: readonly string[], what: string): Place {
  const [first = ''] = words
  const found = first.startsWith('/') ? atPath(candidates, words) : withValues(candidates, words)
  if (found.length === 1) return found[0]!
  const given = words.join(' ')
  const fault =
    found.length > 1 ? `"${given}" matches several paths` : words.length > 0 ? `No path matches "${given}"` : what
  const expected = candidates.length > 1 ? 'Use one of' : 'Use'
  throw new WrongUsage(`${fault}. ${expected}:${forms(candidates)}`)
}

function atPath(candidates: readonly Operation[], words: readonly string[]): Place[] {
  if (words.length > 1) return []
  const path = apiPath(words[0]!)
  const direct = candidates.filter(operation => matches(operation.path, path)).map(operation => ({ operation, path }))
  if (direct.length > 0) return direct
  return candidates.flatMap(operation => {
    const whole = `${path}/${operation.path.split('/').at(-1)}`
    return matches(operation.path, whole) ? [{ operation, path: whole }] : []
  })
}

function withValues(candidates: readonly Operation[], words: readonly string[]): Place[] {
  return candidates
    .filter(({ path }) => partsOf(path).length === words.length)
    .map(operation => {
      const left = [...words]
      return { operation, path: operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift()!)) }
    })
}

/** Adds the prefix /api and removes trailing slashes: `/projects/bank/` becomes `/api/projects/bank`. */
export function apiPath(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed === '/api' || trimmed.startsWith('/api/') ? trimmed : `/api${trimmed}`
}

/** API path of a project given by path or code. */
export function projectPath(project: string): string {
  if (!project.startsWith('/')) return `/api/projects/${encodeURIComponent(project)}`
  if (/^\/(api\/)?projects\/[^/]+\/?$/.test(project)) return apiPath(project)
  throw new WrongUsage(`"${project}" is not a project. Example: /projects/bank or bank`)
}

const partsOf = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!)

/** The GET operation that returns the single record at a path. */
export const showing = (path: string): Operation | undefined =>
  operations.find(({ method, lists, path: template }) => {
    return method === 'GET' && !lists && matches(template, apiPath(path))
  })

const forms = (candidates: readonly Operation[]) =>
  candidates.map(({ path }) => `\n  ${path.replace(/^\/api/, '')}`).join('')
