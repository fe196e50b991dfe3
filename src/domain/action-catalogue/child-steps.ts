import { isCollection, isPair } from 'yaml'
import { type ActionCatalogue, findAction, type StepEntry } from '#authoring/actions/action.ts'
import { type StepDefinition, stepsOfEntries } from '#authoring/actions/action-tree.ts'
import { actionsFileLimits, sizesIn } from '#authoring/actions/check-actions.ts'
import { readSteps } from '#authoring/actions/step-entries.ts'
import { Fields, type Reading } from '#authoring/files/fields.ts'
import type { FileFault } from '#authoring/files/file-fault.ts'
import { deepest, type YamlFile, yamlContents } from '#authoring/files/yaml-file.ts'
import { mostSearched, nearestTo } from '#platform/nearest-name.ts'
import { isDeeper } from './program-actions.ts'

/**
 * Steps that an action adds below its own while it runs (`child_steps`): in the form of the `steps` of an actions.yaml,
 * naming actions of the commit. They come from user code and are completely untrusted.
 *
 * @param depth of the step of their parent, the root's being 1
 */
export function readChildSteps(
  catalogue: ActionCatalogue,
  list: readonly unknown[],
  depth: number,
): readonly StepDefinition[] | { readonly faults: readonly string[] } {
  if (isDeeper(list, deepest)) return { faults: [`child_steps are nested deeper than ${deepest} levels.`] }
  const faults: FileFault[] = []
  const entries = readEntries(catalogue, list, faults)
  if (faults.length > 0) return { faults: [...new Set(faults.map(({ message }) => message))] }
  const size = sizesIn(name => findAction(catalogue, name)!).ofEntries(entries)
  const most = actionsFileLimits
  // Their parent, the step itself, is counted with them.
  if (size.steps - 1 > most.steps) return { faults: [`child_steps come to more than ${most.steps} steps.`] }
  if (size.depth - 1 + depth > most.depth)
    return { faults: [`child_steps would be nested deeper than ${most.depth} levels below the root.`] }
  if (size.scripts > most.scripts)
    return { faults: [`The scripts of child_steps come to more than ${most.scripts / 1_048_576} MiB.`] }
  return stepsOfEntries(catalogue, entries)
}

function readEntries(catalogue: ActionCatalogue, list: readonly unknown[], faults: FileFault[]): StepEntry[] {
  const contents = yamlContents({ steps: list })
  let places: Map<unknown, number> | undefined
  const faultAt = (node: unknown, message: string): FileFault => {
    places ??= placesIn(contents)
    const at = places.get(node)
    return { file: '', line: 1, column: 1, message: at === undefined ? message : `child_steps[${at}]: ${message}` }
  }
  const reading: Reading = { yaml: { contents, faultAt, resolve: node => node, refers: false }, faults }
  const names = catalogue.actions.map(({ action }) => action)
  const search = mostSearched()
  const fields = Fields.of(reading, contents, 'child_steps is a list of steps.')!
  return readSteps(reading, fields, (name, node) => {
    if (findAction(catalogue, name)) return
    const nearest = nearestTo(name, names, search)
    const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    faults.push(faultAt(node, `There is no action "${name}" at this commit.${hint}`))
  })
}

/** Index of the step in the list that each node is a part of. */
function placesIn(contents: YamlFile['contents']): Map<unknown, number> {
  const found = new Map<unknown, number>()
  const note = (node: unknown, at: number): void => {
    found.set(node, at)
    if (isPair(node)) for (const part of [node.key, node.value]) note(part, at)
    if (isCollection(node)) for (const item of node.items) note(item, at)
  }
  const steps = isCollection(contents) ? contents.get('steps') : undefined
  if (isCollection(steps)) for (const [at, item] of steps.items.entries()) note(item, at)
  return found
}
