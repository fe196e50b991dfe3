import type { Query } from '#client/sluice.ts'
import { type ListParameters, listParameters } from '../../components/list/list-parameters.ts'

/** Filters of the audit history, as its address holds them. */
export interface AuditSearch extends ListParameters {
  /** Part of the type. */
  readonly type?: string
  /** Beginning of the user's name. */
  readonly user?: string
  /** Node whose events are listed, with those of everything below it. */
  readonly node?: string
  /** Part of the record's name. */
  readonly name?: string
  /** Type of the record. */
  readonly source?: string
  /** Id of the record. */
  readonly record?: string
  /** Times as ISO 8601 in UTC. */
  readonly from?: string
  readonly to?: string
  /** Event that is shown beside the list. */
  readonly event?: string
}

/** Changed filters; an undefined or empty one is removed. */
export type AuditChanges = { readonly [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }

const names = ['type', 'user', 'node', 'name', 'source', 'record', 'from', 'to', 'event'] as const

/** Reads the search parameters of an address; what is no filter is left out. */
export function readAuditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const given = names.flatMap(name => {
    const value = search[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    const isTime = name === 'from' || name === 'to'
    return text === '' || (isTime && Number.isNaN(Date.parse(text))) ? [] : [[name, text] as const]
  })
  return { ...Object.fromEntries(given), ...listParameters(search) }
}

/** Attributes of events that the table shows. */
const shown = [
  'type,username,created_at,node_path,source_type,source_id,source,name,hash,version,changed_pointers,error,reason',
  'message,action,success,full_path,change_id,workflow_run_id,authorisation_policy_id,dropped_settings',
  'request_method,request_body_name,request_body_code,request_body_message,request_body_description',
  'request_body_username,request_body_groupname,request_body_action,request_body_disabled,password_changed',
  'archived,forced,removed_count,template_code,workflow_code,assignee,groupname,activity',
].join(',')

/** Conditions of the API for the filters. */
export const auditFilters = (search: AuditSearch): Query => ({
  ...(search.type && { 'filter[type_cont]': search.type }),
  ...(search.user && { 'filter[username_start]': search.user }),
  ...(search.node && { 'filter[under]': search.node }),
  ...(search.name && { 'filter[name_cont]': search.name }),
  ...(search.source && { 'filter[source_type_eq]': search.source }),
  ...(search.record && { 'filter[source_id_eq]': search.record }),
  ...(search.from && { 'filter[created_at_gteq]': search.from }),
  ...(search.to && { 'filter[created_at_lteq]': search.to }),
})

/** Query of the API for a page of the list, the newest event first. */
export const auditQuery = (search: AuditSearch): Query => ({
  limit: 100,
  'filter[sorts]': 'created_at desc',
  ...auditFilters(search),
  'fields[event]': shown,
})

/** Address of all events that match the filters as a CSV file. */
export function csvAddress(search: AuditSearch, day: string): string {
  const query = { ...auditFilters(search), download: `events-${day}.csv` }
  return `/api/events?${new URLSearchParams(query as unknown as Record<string, string>)}`
}

export const countFilters = ({ event: _, columns: __, saved: ___, ...filters }: AuditSearch): number =>
  Object.keys(filters).length

/** The part of an address that a saved view keeps. */
export const auditState = ({ event: _, saved: __, ...state }: AuditSearch): AuditSearch => state
