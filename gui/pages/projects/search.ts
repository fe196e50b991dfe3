import { type ColumnsParameter, columnsParameter } from '../../components/list/list-parameters.ts'
import { sortParameter } from '../activities/search.ts'
import { type ConfigurationSearch, readConfigurationSearch } from '../configuration/search.ts'
import type { NodeType } from './node.ts'

/** Search parameters of the pages of projects and nodes. */

export interface TreeSearch {
  /** Filter of the tree. */
  readonly find?: string
  /** Whether the tree shows archived nodes. */
  readonly archived?: true
  /** Type of the node whose dialog for creating one is open; a project, or a child of the current node. */
  readonly create?: NodeType
}

export interface NodeSearch extends ConfigurationSearch, ColumnsParameter {
  /** Part of the node; without it, the overview. */
  readonly tab?: string
  /** Sorting of the tab of its activities, if not the newest first: `created_at`. */
  readonly sort?: string
  /** Action whose run dialog is open; empty to choose one. */
  readonly run?: string
  /** Name of the Git remote that the tab of Git remotes points out. */
  readonly remote?: string
}

type Given = Readonly<Record<string, unknown>>

export const readTreeSearch = (search: Given): TreeSearch => ({
  ...text(search, 'find'),
  ...(search['archived'] === true && { archived: true as const }),
  ...(types.includes(search['create']) && { create: search['create'] as NodeType }),
})

const types: readonly unknown[] = ['project', 'environment', 'asset', 'agent'] satisfies NodeType[]

export function readNodeSearch(search: Given): NodeSearch {
  const run = search['run']
  return {
    ...readConfigurationSearch(search),
    ...text(search, 'tab'),
    ...text(search, 'remote'),
    ...(search['tab'] === 'activities' && sortParameter(search)),
    ...(isText(run) && { run: String(run) }),
    ...columnsParameter(search),
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'

/** Texts that look like numbers are parsed as such by the router. */
function text<Name extends string>(search: Given, name: Name): { [name in Name]?: string } {
  const value = search[name]
  return (isText(value) && value !== '' ? { [name]: String(value) } : {}) as { [name in Name]?: string }
}

/** What stays when another node or tab is opened: the filter of the tree, and the tab to compare nodes by. */
export const keptSearch = ({
  find,
  archived,
  tab,
}: Pick<TreeSearch & NodeSearch, 'find' | 'archived' | 'tab'>): Record<string, string | true> => ({
  ...(find !== undefined && { find }),
  ...(archived && { archived }),
  ...(tab !== undefined && { tab }),
})
