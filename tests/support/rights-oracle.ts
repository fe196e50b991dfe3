import fc from 'fast-check'
import type { Right } from '#platform/actor.ts'
import type { Rule } from '../../src/domain/access/decide.ts'

/**
 * The rules of rights one by one, over every rule, for one path: slow and simple, for comparison with the compiled
 * form.
 */
export const mayByRule = (rules: readonly Rule[], right: Right, path: string): boolean =>
  decidingByRule(rules, right, path)?.says ?? false

/** The first deciding rule, and its decision; the others on its path are behind it. */
export function decidingByRule(rules: readonly Rule[], right: Right, path: string) {
  const here = path === '/' ? [] : path.split('/').slice(1)
  const matching = rules
    .map(rule => ({ rule, there: rule.path === '/' ? [] : rule.path.split('/').slice(1), says: saidBy(rule, right) }))
    .filter(({ there, says }) => says !== null && there.length <= here.length)
    .filter(({ there }) => there.every((segment, i) => segment === '*' || segment === here[i]))
    .filter(({ there }) => here[0] !== 'authorisation_policies' || there[0] === 'authorisation_policies')
  const rank = (there: string[]) => there.map(segment => (segment === '*' ? '1' : '0')).join('')
  matching.sort(
    (a, b) =>
      b.there.length - a.there.length || rank(a.there).localeCompare(rank(b.there)) || Number(a.says) - Number(b.says),
  )
  return matching[0]
}

function saidBy(rule: Rule, right: Right): boolean | null {
  if (rule.read === false) return false
  if (right === 'read') return rule.read || rule.update || rule.execute || rule.delete ? true : null
  return rule[right]
}

/** Few names, so that rules and records often match. */
const codes = { projects: ['a', 'ab', 'b'], environments: ['live', 'test'], assets: ['web', 'web.1', 'db'] }
export const projectCodes = [...codes.projects, 'b0', 'a-b']
const areas = ['/properties', '/actions/deploy', '/actions/de%ploy', "/templates/it's"]
const nodePaths = codes.projects.flatMap(project => [
  `/projects/${project}`,
  ...codes.assets.map(asset => `/projects/${project}/assets/${asset}`),
  ...codes.environments.flatMap(environment => [
    `/projects/${project}/environments/${environment}`,
    ...codes.assets.map(asset => `/projects/${project}/environments/${environment}/assets/${asset}`),
  ]),
])
export const allPaths = [
  ...nodePaths,
  ...nodePaths.flatMap(path => areas.map(area => path + area)),
  '/events',
  '/admin/jobs',
  '/authorisation_policies',
  '/authorisation_policies/x',
  '/projects/b0',
  '/projects/a-b/assets/web',
]
export const paths = fc.constantFrom(...allPaths)

const flag = fc.constantFrom(true, true, false, null, null)
const rulePath = fc
  .tuple(fc.constantFrom('/', '/projects', ...allPaths), fc.array(fc.nat(6), { maxLength: 2 }), fc.nat(3))
  .map(([path, stars, cut]) => {
    const segments = path.split('/').slice(1)
    for (const at of stars) if (at < segments.length) segments[at] = '*'
    return `/${segments.slice(0, Math.max(1, segments.length - cut)).join('/')}`
  })
const rule = fc.record({ path: rulePath, read: flag, update: flag, execute: flag, delete: flag })
const literalRule = rule.filter(({ path }) => !path.includes('*'))
export const ruleSets = fc.oneof(fc.array(rule, { maxLength: 12 }), fc.array(literalRule, { maxLength: 12 }))
