import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'

/** Parts of an activity's page, as its address names them; the first one is shown without the parameter. */
export const activityTabs = ['log', 'steps', 'timeline', 'flow', 'details', 'events', 'artefacts'] as const
export type ActivityTab = (typeof activityTabs)[number]

/** What of an activity is looked at, as its address holds it. */
export interface ActivityPageSearch extends ColumnsParameter {
  readonly tab?: ActivityTab
  /** Id of the chosen step. */
  readonly step?: string
  /** Chosen lines of the log, by their numbers from 1: 150000 or `150000-150020`. */
  readonly line?: string | number
  /** Whether the log is in sections by step, and not by time. */
  readonly by?: 'step'
  /** Text searched for in the log. */
  readonly find?: string
  /** Part of the names of the steps that are shown. */
  readonly filter?: string
  /** Only steps that are not done. */
  readonly only?: 'unfinished'
  /** Id of the event that is open in the tab of the events. */
  readonly event?: string
  /** Whether the dialog that retries the activity is open. */
  readonly retry?: true
}

/** Reads the search parameters of an address; what is none is left out. */
export function readActivityPageSearch(search: Readonly<Record<string, unknown>>): ActivityPageSearch {
  const tab = activityTabs.find(each => each === search['tab'])
  const lines = chosenLines(text(search['line']))
  const [step, find] = [text(search['step']), text(search['find'])]
  const [filter, event] = [text(search['filter']), text(search['event'])]
  return {
    ...(tab && tab !== 'log' && { tab }),
    ...(/^[0-9a-f-]{36}$/.test(step) && { step }),
    ...(lines && { line: lineText(lines) }),
    ...(search['by'] === 'step' && { by: 'step' as const }),
    ...(find !== '' && { find }),
    ...(filter !== '' && { filter }),
    ...(search['only'] === 'unfinished' && { only: 'unfinished' as const }),
    ...(tab === 'events' && event !== '' && { event }),
    ...(search['retry'] === true && { retry: true as const }),
    ...columnsParameter(search),
  }
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Range of lines by their numbers from 1, both included. */
export interface ChosenLines {
  readonly from: number
  readonly to: number
}

/** Reads `150000` or `150000-150020`, in either order. */
export function chosenLines(line: string | number | undefined): ChosenLines | undefined {
  const [, first, last] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(String(line ?? '')) ?? []
  if (first === undefined) return undefined
  const [one, other] = [Number(first), Number(last ?? first)]
  return one < 1 || other < 1 ? undefined : { from: Math.min(one, other), to: Math.max(one, other) }
}

/** Lines as the address holds them; one line as a number, since the router would put a text of digits in quotes. */
export const lineText = ({ from, to }: ChosenLines): string | number => (from === to ? from : `${from}-${to}`)
