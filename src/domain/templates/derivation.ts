import { readActions, yamlSource } from '#authoring/actions/actions-file.ts'
import { faultsText } from '#authoring/files/file-fault.ts'
import { storable } from '#platform/stored-text.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { type CatalogueKey, type Derived, type ProgramSources, programSource } from '../action-catalogue/index.ts'

/** Input of a background task of type GenerateActionsRequest; stored with it. */
export interface Derivation {
  readonly key: CatalogueKey
  readonly sources: ProgramSources
  /** Whether the program also gets the actions of the asset's model, if there are any. */
  readonly model?: 'given' | 'unavailable'
  /** Job that continues when it has ended, with `derivationError` in its payload when it failed. */
  readonly goOn?: { readonly job: string; readonly payload: object; readonly key: string }
}

/** Maximum time in seconds for a program to declare its actions. */
export const deriveSeconds = 60

/**
 * Result of running the program (pure). A fault of its own code belongs to the commit, and is stored; after a lost
 * runner or a timeout the next run may succeed.
 */
export function derived({ sources }: Derivation, result: Result): Derived | { readonly failed: string } {
  const { outcome, exitCode, errorMessage, outputs } = result
  if (outcome === 'success') {
    const { yaml, program } = sources
    const read = readActions([
      ...(yaml ? [yamlSource(yaml.file, Buffer.from(yaml.text))] : []),
      programSource(program, outputs?.['actions']),
    ])
    if ('faults' in read) return { state: 'broken', error: faultsText(read.faults) }
    const readsCatalogue = outputs?.['reads_catalogue'] === true
    const readsInput = readsCatalogue || outputs?.['reads_properties'] === true
    return { state: 'ready', catalogue: read, readsInput, readsCatalogue }
  }
  const why = placed(sources.program, errorMessage ?? 'its actions could not be derived')
  return outcome === 'error' && exitCode !== null ? { state: 'broken', error: why } : { failed: why }
}

/**
 * Message with file, line and column, like every fault of an actions file, and without characters that the database
 * cannot store.
 */
const placed = (program: string, message: string): string =>
  storable(/^[^\n]+?:\d+:\d+: /.test(message) ? message : `${program}:1:1: ${message}`)
