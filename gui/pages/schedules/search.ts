import type { Query } from '../../api/records.ts'
import { type ListParameters, listParameters } from '../../components/list/list-parameters.ts'

/** View and filters of the schedules, as their address holds them. */
export interface ScheduleSearch extends ListParameters {
  readonly view?: 'calendar'
  /** Month of the calendar: `2027-03`. */
  readonly month?: string
  /** Part of the name of the action or workflow. */
  readonly text?: string
  /** Node whose schedules are listed, with those of everything below it. */
  readonly under?: string
  /** Only disabled ones. */
  readonly disabled?: true
  /** Schedule whose dialog is open; `new` for one that is created. */
  readonly schedule?: string
  /** Workflow of a new schedule. */
  readonly workflow?: string
  /** Action of a new schedule, and the revision that it is taken from. */
  readonly action?: string
  readonly remote?: string
  readonly rev?: string
  /** Options of a new schedule: version of the template or of the workflow, starting step, steps to skip and metadata, one a line. */
  readonly version?: string
  readonly start?: string
  readonly skip?: string
  readonly metadata?: string
}

export type ScheduleChanges = { readonly [Name in keyof ScheduleSearch]?: ScheduleSearch[Name] | undefined }

/** Reads the search parameters of an address; anything else is left out. */
export function readScheduleSearch(search: Readonly<Record<string, unknown>>): ScheduleSearch {
  const month = search['month']
  return {
    ...(search['view'] === 'calendar' && { view: 'calendar' as const }),
    ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && { month }),
    ...text(search, 'text'),
    ...text(search, 'under'),
    ...(search['disabled'] === true && { disabled: true as const }),
    ...text(search, 'schedule'),
    ...listParameters(search),
    ...(search['schedule'] === 'new' && {
      ...text(search, 'workflow'),
      ...text(search, 'action'),
      ...text(search, 'remote'),
      ...text(search, 'rev'),
      ...text(search, 'version'),
      ...text(search, 'start'),
      ...text(search, 'skip'),
      ...text(search, 'metadata'),
    }),
  }
}

function text<Name extends string>(search: Readonly<Record<string, unknown>>, name: Name): { [name in Name]?: string } {
  const value = search[name]
  const isGiven = (typeof value === 'string' || typeof value === 'number') && String(value) !== ''
  return (isGiven ? { [name]: String(value) } : {}) as { [name in Name]?: string }
}

/** Query of the API for the filters. */
export const scheduleQuery = ({ text: part, under, disabled }: ScheduleSearch): Query => ({
  limit: 100,
  'filter[sorts]': 'next_run_at',
  ...(part && { 'filter[action_or_workflow_code_cont]': part }),
  ...(under && { 'filter[under]': under }),
  ...(disabled && { 'filter[enabled_eq]': false }),
})

/** The part of an address that a saved view keeps. */
export const scheduleState = ({ text: part, under, disabled, columns }: ScheduleSearch): ScheduleSearch => ({
  ...(part !== undefined && { text: part }),
  ...(under !== undefined && { under }),
  ...(disabled && { disabled }),
  ...(columns !== undefined && { columns }),
})

export const hasScheduleFilters = ({ text: part, under, disabled }: ScheduleSearch): boolean =>
  part !== undefined || under !== undefined || disabled === true
