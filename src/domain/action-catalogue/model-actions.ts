import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { readSource } from '#authoring/actions/actions-file.ts'
import { actionsFileLimits, checkActions, type ReadAction } from '#authoring/actions/check-actions.ts'
import type { FileFault } from '#authoring/files/file-fault.ts'
import { readYaml } from '#authoring/files/yaml-file.ts'
import { fromJson } from '#json/from-json.ts'
import { isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import { readApart } from '#platform/threads/read-apart.adapter.ts'

/**
 * The actions in a model, read by the rules of an actions.yaml: an object with each under its name, or a list in which
 * `action` is the name. They may name those of the actions file. An action that the file has too (case-insensitive) is
 * left out: the file takes precedence.
 *
 * @param file the declarations of the actions file of the same commit
 */
export function readModelActions(
  actions: Json | undefined,
  file: ActionCatalogue,
): ActionCatalogue | { readonly faults: readonly string[] } {
  const named = byName(actions)
  if ('faults' in named) return named
  const text = JSON.stringify({ actions: Object.fromEntries(named.entries) })
  if (text.length > actionsFileLimits.bytes)
    return { faults: [`The actions take more than ${actionsFileLimits.bytes} bytes.`] }
  const read = readYaml('model', text)
  if ('faults' in read) return { faults: read.faults.map(({ message }) => message) }
  const yaml = { ...read, faultAt: faultNaming(named.entries, text) }
  const faults: FileFault[] = []
  const theirs = new Set(file.actions.map(({ action }) => action.toLowerCase()))
  const own = readSource({ yaml, faults }, undefined).filter(({ action }) => !theirs.has(action.action.toLowerCase()))
  if (faults.length === 0) checkActions([...file.actions.map(action => ofFile(action, yaml)), ...own], faults)
  if (faults.length > 0) return { faults: [...new Set(faults.map(({ message }) => message))] }
  return { actions: own.map(({ action }) => action) }
}

/**
 * Reads the actions of a model given as text, a large one in a thread.
 *
 * @param data JSON: an object
 */
export async function readActionsOfModel(
  data: string,
  file: ActionCatalogue,
): Promise<ReturnType<typeof readModelActions>> {
  const read = await readApart(data.length, actionsIn, import.meta.url, data, file)
  return read === 'too-much' ? { faults: ['The actions take too much time or memory to read.'] } : read
}

/**
 * Actions of a model as text. A thread calls it by its name.
 *
 * @public
 */
export const actionsIn = (data: string, file: ActionCatalogue): ReturnType<typeof readModelActions> =>
  readModelActions((fromJson(data) as JsonObject)['actions'], file)

/** Actions that an asset offers: those of the file, and after them those of its model. */
export const withModelActions = (file: ActionCatalogue, model: ActionCatalogue): ActionCatalogue => {
  const theirs = new Set(file.actions.map(({ action }) => action.toLowerCase()))
  return { actions: [...file.actions, ...model.actions.filter(({ action }) => !theirs.has(action.toLowerCase()))] }
}

/** The actions of a model as passed to programs: `catalogue()` of @sluice/actions. */
export const catalogueEntries = ({ actions }: ActionCatalogue): object[] =>
  actions.map(({ action, step_name, description, needs, ignore_failure, run_as }) => ({
    action,
    step_name,
    description,
    pre_reqs: needs,
    ignore_failure,
    run_as,
  }))

type Entries = readonly (readonly [string, Json])[]

function byName(actions: Json | undefined): { readonly entries: Entries } | { readonly faults: readonly string[] } {
  if (actions !== undefined && isObject(actions)) return { entries: Object.entries(actions) }
  if (!Array.isArray(actions)) return { faults: ['"actions" holds actions, each under its name, or a list of them.'] }
  const faults: string[] = []
  const entries = new Map<string, Json>()
  for (const [at, each] of (actions as readonly Json[]).entries()) {
    const name = isObject(each) ? each['action'] : undefined
    if (typeof name !== 'string') faults.push(`Number ${at + 1} of "actions" is no object with its name as "action".`)
    else if (entries.has(name)) faults.push(`There is an action "${name}" already.`)
    else {
      const { action: _, ...rest } = each as JsonObject
      entries.set(name, rest)
    }
  }
  return faults.length > 0 ? { faults } : { entries: [...entries] }
}

/** A place in rendered text is useless: faults name the action instead. */
function faultNaming(entries: Entries, text: string): (node: unknown, message: string) => FileFault {
  let end = text.indexOf('{', 1)
  const ends = entries.map(([name, entry]) => {
    end += JSON.stringify(name).length + 1 + JSON.stringify(entry).length + 1
    return end
  })
  return (node, message) => {
    const offset = (node as { range?: readonly number[] } | null)?.range?.[0] ?? 0
    const [name] = entries[ends.findIndex(each => offset <= each)] ?? []
    const placed = name === undefined || offset <= text.indexOf('{', 1) ? message : `Action "${name}": ${message}`
    return { file: 'model', line: 1, column: 1, message: placed }
  }
}

/** Action of the file, which has been checked already and names none of the model. */
const ofFile = (action: ActionCatalogue['actions'][number], yaml: ReadAction['yaml']): ReadAction => ({
  action,
  yaml,
  key: null,
  uses: [],
})
