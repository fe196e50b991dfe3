import type { Query } from '#client/sluice.ts'
import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'

/** Filters of the list of workflows, as its address holds them. */
export interface WorkflowListSearch extends ColumnsParameter {
  /** Part of the name or the code. */
  readonly text?: string
  /** Code of a project. */
  readonly project?: string
  /** Whether archived workflows are listed as well. */
  readonly archived?: true
}

/** What is shown of one workflow. */
export interface WorkflowSearch extends ColumnsParameter {
  /** Tab; without it the editor. */
  readonly tab?: 'versions' | 'runs'
  /** Version that is compared. */
  readonly version?: number
  /** Version that it is compared with. */
  readonly against?: number
  /** Whether the dialog that runs it is open. */
  readonly run?: true
}

type Given = Readonly<Record<string, unknown>>

/** Reads the filters of an address; anything else is left out. */
export const readWorkflowListSearch = (search: Given): WorkflowListSearch => ({
  ...text(search, 'text'),
  ...text(search, 'project'),
  ...(search['archived'] === true && { archived: true as const }),
  ...columnsParameter(search),
})

/** Reads tab and versions of an address; anything else is left out. */
export function readWorkflowSearch(search: Given): WorkflowSearch {
  const tab = search['tab']
  return {
    ...((tab === 'versions' || tab === 'runs') && { tab }),
    ...version(search, 'version'),
    ...version(search, 'against'),
    ...(search['run'] === true && { run: true as const }),
    ...columnsParameter(search),
  }
}

/** Query of the API for the filters. */
export const workflowQuery = ({ text: part, archived }: WorkflowListSearch): Query => ({
  limit: 100,
  'filter[sorts]': 'name',
  ...(part && { 'filter[name_or_code_cont]': part }),
  ...(!archived && { 'filter[archived_eq]': false }),
})

/** Path of the list: of one project, or of all. */
export const workflowListPath = ({ project }: WorkflowListSearch): string =>
  project === undefined ? '/api/workflows' : `/api/projects/${encodeURIComponent(project)}/workflows`

export const hasWorkflowFilters = ({ columns: _, ...filters }: WorkflowListSearch): boolean =>
  Object.keys(filters).length > 0

function text<Name extends string>(search: Given, name: Name): { [name in Name]?: string } {
  const value = search[name]
  const isGiven = (typeof value === 'string' || typeof value === 'number') && String(value) !== ''
  return (isGiven ? { [name]: String(value) } : {}) as { [name in Name]?: string }
}

function version<Name extends string>(search: Given, name: Name): { [name in Name]?: number } {
  const value = Number(search[name])
  return (Number.isInteger(value) && value > 0 ? { [name]: value } : {}) as { [name in Name]?: number }
}
