import { operations } from '../client/generated/api.ts'
import { matches, type Operation } from '../client/operation.ts'
import { WrongUsage } from './wrong-usage.ts'

/** An operation and its path with every part filled in: `/api/projects/bank/assets/web`. */
export interface Place {
  readonly operation: Operation
  readonly path: string
}

/**
 * Finds what is meant among operations of one sort, all of one type. Three ways to say it:
 *
 *     /projects/bank/assets/web      the path, with or without /api
 *     bank web                       values for the parts of a path, where one way only takes as many
 *     /projects/bank                 where a list lies, its own last word left out
 */
export function placeAmong(candidates: readonly Operation[], words: readonly string[], what: string): Place {
  const [first = ''] = words
  const found = first.startsWith('/') ? atPath(candidates, words) : withValues(candidates, words)
  if (found.length === 1) return found[0]!
  const given = words.length > 0 && found.length === 0 ? ` Not at "${words.join(' ')}": there` : ' There'
  const places = candidates.length > 1 ? 'are these places' : 'is this place'
  throw new WrongUsage(`${what}${found.length > 1 ? ', in which of them' : ''}?${given} ${places}:${forms(candidates)}`)
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

/** `/projects/bank/` is `/api/projects/bank`. */
export function apiPath(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed === '/api' || trimmed.startsWith('/api/') ? trimmed : `/api${trimmed}`
}

/** Of a project, which may be named by its path or by its code. */
export function projectPath(project: string): string {
  if (!project.startsWith('/')) return `/api/projects/${encodeURIComponent(project)}`
  if (/^\/(api\/)?projects\/[^/]+\/?$/.test(project)) return apiPath(project)
  throw new WrongUsage(`"${project}" is no project. It looks like /projects/bank, or bank`)
}

const partsOf = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!)

/** What a GET of this path shows: a record, or something of its own such as the system configuration. */
export const showing = (path: string): Operation | undefined =>
  operations.find(({ method, lists, path: template }) => {
    return method === 'GET' && !lists && matches(template, apiPath(path))
  })

const forms = (candidates: readonly Operation[]) =>
  candidates.map(({ path }) => `\n  ${path.replace(/^\/api/, '')}`).join('')
