import type { Query } from '../../api/records.ts'
import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'

/** Filters of the list of agents, as its address holds them. */
export interface AgentSearch extends ColumnsParameter {
  /** Part of the name. */
  readonly q?: string
  readonly archived?: true
}

/** Reads the search parameters of an address; anything else is left out. */
export function readAgentSearch(search: Readonly<Record<string, unknown>>): AgentSearch {
  const text = search['q']
  const isText = (typeof text === 'string' || typeof text === 'number') && String(text) !== ''
  return {
    ...(isText && { q: String(text) }),
    ...(search['archived'] === true && { archived: true as const }),
    ...columnsParameter(search),
  }
}

/** Query of the API for the filters; each agent comes with its status. */
export const agentQuery = ({ q, archived }: AgentSearch): Query => ({
  limit: 100,
  include: 'agent_status',
  'fields[agent]': 'code,name,archived,template_code,template_version,task_active,updated_at,agent_status',
  'filter[sorts]': 'name',
  ...(q !== undefined && { 'filter[name_cont]': q }),
  ...(!archived && { 'filter[archived_eq]': false }),
})
