import { readFileSync } from 'node:fs'
import { fromJson } from '../json/from-json.ts'
import type { ReadOnlyObject } from './step.ts'

let read = false

/**
 * The converged properties of the asset whose actions are declared, with unresolved references to secrets: for a file
 * whose actions depend on them. Such a file is run for each asset; without an asset, as when a template version is
 * prepared, there are none.
 */
export function properties(): ReadOnlyObject {
  read = true
  const file = process.env['SLUICE_STEP_CONTEXT']
  const given = file === undefined ? {} : (fromJson(readFileSync(file, 'utf8')) as { converged?: ReadOnlyObject })
  return given.converged ?? {}
}

/** Whether `properties()` has been called; read by the runner. */
export const havePropertiesBeenRead = (): boolean => read
