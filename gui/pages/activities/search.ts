import type { Query } from '#client/sluice.ts'
import { activityFields } from '../../components/activity-table/fields.ts'
import { type ListParameters, listParameters } from '../../components/list/list-parameters.ts'
import { sortsParameter } from '../../components/table/sort.ts'
import { statusWords } from '../../messages/general.ts'

/** Filters and sorting of the activities page, as its address holds them. */
export interface ActivitySearch extends ListParameters {
  /** Status codes; without any, all. */
  readonly status?: readonly string[]
  /** Part of the path. */
  readonly path?: string
  /** Node whose activities are listed, with those of everything below it. */
  readonly under?: string
  /** Beginning of the name of the user who created it. */
  readonly by?: string
  /** Part of the name of the action or of the code of the workflow. */
  readonly name?: string
  /** `ticket=CHG-1`: the value of one of its metadata; without `=`, a part of any. */
  readonly metadata?: string
  /** Bounds of the time of its creation, ISO 8601. */
  readonly from?: string
  readonly to?: string
  readonly mine?: true
  /** Only those that have not ended. */
  readonly active?: true
  readonly waiting?: true
  readonly sort?: string
}

/** Changed filters; an undefined or empty one is removed. */
export type ActivityChanges = { readonly [Name in keyof ActivitySearch]?: ActivitySearch[Name] | undefined }

const sortable = ['created_at', 'started_at', 'finished_at', 'updated_at']
export const defaultSort = '-created_at'

/** Reads the search parameters of an address; what is no filter is left out. */
export function readActivitySearch(search: Readonly<Record<string, unknown>>): ActivitySearch {
  const statuses = [search['status']].flat().filter(each => typeof each === 'string' && each in statusWords) as string[]
  return {
    ...(statuses.length > 0 && { status: statuses }),
    ...text(search, 'path'),
    ...text(search, 'under'),
    ...text(search, 'by'),
    ...text(search, 'name'),
    ...text(search, 'metadata'),
    ...time(search, 'from'),
    ...time(search, 'to'),
    ...(search['mine'] === true && { mine: true as const }),
    ...(search['active'] === true && { active: true as const }),
    ...(search['waiting'] === true && { waiting: true as const }),
    ...sortParameter(search),
    ...listParameters(search),
  }
}

/** Sorting of a list of activities; the default is left out, and so is what is none. */
export function sortParameter({ sort }: Readonly<Record<string, unknown>>): { readonly sort?: string } {
  const isKnown = typeof sort === 'string' && sortable.includes(sort.replace(/^-/, ''))
  return isKnown && sort !== defaultSort ? { sort } : {}
}

function text<Name extends string>(search: Readonly<Record<string, unknown>>, name: Name): { [name in Name]?: string } {
  const value = search[name]
  const isGiven = (typeof value === 'string' || typeof value === 'number') && String(value) !== ''
  return (isGiven ? { [name]: String(value) } : {}) as { [name in Name]?: string }
}

/** Time of the address; what is none is left out, since the service would refuse the list. */
function time<Name extends string>(search: Readonly<Record<string, unknown>>, name: Name): { [name in Name]?: string } {
  const at = text(search, name)[name]
  return at === undefined || Number.isNaN(Date.parse(at)) ? {} : ({ [name]: at } as { [name in Name]?: string })
}

/** Query of the API for the filters. */
export function activityQuery(search: ActivitySearch): Query {
  return {
    limit: 100,
    'filter[sorts]': sortsParameter(search.sort ?? defaultSort),
    ...(search.status && { 'filter[status_code_in][]': search.status }),
    ...(search.path && { 'filter[path_cont]': search.path }),
    ...(search.under && { 'filter[under]': search.under }),
    ...(search.by && { 'filter[created_by_start]': search.by }),
    ...(search.name && { 'filter[name_cont]': search.name }),
    ...(search.metadata && metadataFilter(search.metadata)),
    ...(search.from && { 'filter[created_at_gteq]': search.from }),
    ...(search.to && { 'filter[created_at_lteq]': search.to }),
    ...(search.mine && { 'filter[mine]': true }),
    ...(search.active && { 'filter[active]': true }),
    ...(search.waiting && { 'filter[waiting_for_me]': true }),
    'fields[activity]': activityFields,
  }
}

function metadataFilter(text: string): Query {
  const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined) return { 'filter[metadata_text_cont]': text }
  return { [`filter[metadata.${name}_eq]`]: value ?? '' }
}

const moreFilters = ['by', 'name', 'under', 'metadata', 'from', 'to'] as const

/** Number of filters in force among those which open with a button. */
export const countMoreFilters = (search: ActivitySearch): number => moreFilters.filter(name => name in search).length

export const hasFilters = ({ sort: _, columns: __, saved: ___, ...filters }: ActivitySearch): boolean =>
  Object.keys(filters).length > 0

/** The part of an address that a saved view keeps. */
export const activityState = ({ saved: _, ...state }: ActivitySearch): ActivitySearch => state
