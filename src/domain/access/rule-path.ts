import { Failure, type Fault } from '#platform/failure.ts'
import { nearestTo } from '#platform/nearest-name.ts'
import { segmentsOf } from './decide.ts'

/** Possible continuations of a path on which rights are checked. */
interface Place {
  /** Fixed names, and the possible segments below each. */
  readonly names?: Readonly<Record<string, Place>>
  /** Names chosen by people or programs. */
  readonly named?: { readonly what: string; readonly form: RegExp; readonly below: Place }
}

const any: Place = {
  named: {
    what: 'name',
    form: /^(?!\.\.?$)/,
    get below() {
      return any
    },
  },
}
const secrets: Place = { names: { secrets: {} } }

/** Areas of every node on which rights are checked in addition to the node itself. */
const areas: Readonly<Record<string, Place>> = {
  properties: secrets,
  settings: secrets,
  secrets: any,
  model: secrets,
  actions: any,
  workflows: any,
  git_remotes: any,
  templates: any,
  scheduled_activities: any,
  authorisation_policies: any,
}

const code = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/
const nodes = (names: Readonly<Record<string, Place>>): Place => ({
  named: { what: 'code', form: code, below: { names: { ...areas, ...names } } },
})
const [assets, agents] = [nodes({}), nodes({})]
const projects = nodes({ environments: nodes({ assets }), assets, agents })

const root: Place = {
  names: {
    projects,
    admin: { named: { what: 'collection', form: /^[a-z][a-z_]*$/, below: any } },
    events: any,
    log_lines: any,
    system_configuration: any,
    authorisation_policies: any,
    secrets: any,
  },
}

/**
 * Fault of a path that can never match, whatever is created later: a rule on it would have no effect without notice.
 * Undefined for any other.
 */
export function unmatchable(path: string): string | undefined {
  let places: readonly Place[] = [root]
  let above = ''
  for (const segment of segmentsOf(path)) {
    const next = [...new Set(places.flatMap(place => childrenOf(place, segment)))]
    if (next.length === 0) return faultOfSegment(places, segment, above)
    places = next
    above += `/${segment}`
  }
  return undefined
}

function childrenOf({ names, named }: Place, segment: string): readonly Place[] {
  if (segment === '*') return [...Object.values(names ?? {}), ...(named ? [named.below] : [])]
  const fixed = names && Object.hasOwn(names, segment) ? [names[segment]!] : []
  return [...fixed, ...(named?.form.test(segment) ? [named.below] : [])]
}

function faultOfSegment(places: readonly Place[], segment: string, above: string): string {
  const known = [...new Set(places.flatMap(({ names }) => Object.keys(names ?? {})))].sort()
  const here = above === '' ? 'A path' : `A path below ${above}`
  const fixed = known.length > 0 ? [known.join(', ')] : []
  const forms = places.flatMap(({ named }) => (named ? [`a ${named.what}`] : []))
  const may = [...fixed, ...new Set(forms)].join(', or ')
  const like = known.find(each => each === segment.toLowerCase()) ?? nearestTo(segment, known)
  const meant = like ? ` Did you mean ${above}/${like}?` : ''
  const allowed = may === '' ? `There is nothing below ${above}` : `${here} begins with ${may}`
  return `A rule on this path matches nothing: there is never a "${segment}" ${above === '' ? 'at its beginning' : `below ${above}`}. ${allowed}.${meant}`
}

/**
 * @param written new rules, each with the pointer of its path
 * @throws Failure `invalid` with every path that cannot match
 */
export function refuseUnmatchable(written: readonly { readonly path: string; readonly pointer: string }[]): void {
  const [first, ...others] = written.flatMap(({ path, pointer }): Fault[] => {
    const detail = unmatchable(path)
    return detail === undefined ? [] : [{ code: 'invalid', detail, source: { pointer } }]
  })
  if (first) throw new Failure([first, ...others])
}
