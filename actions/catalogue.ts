import { readFileSync } from 'node:fs'
import { fromJson } from '../json/from-json.ts'

/** An action of an asset's model. */
export interface CatalogueAction {
  readonly action: string
  readonly stepName: string
  /** Actions without a description are not listed to people. */
  readonly description: string | null
  readonly needs: readonly string[]
  readonly ignoreFailure: boolean
  readonly runAs: 'sequential' | 'parallel'
}

let read = false

/**
 * The actions of the model of the asset whose actions are declared, for a file that derives its own from them. None if
 * the template has no model, if the asset has no valid one, and without an asset, as when a template version is
 * prepared.
 */
export function catalogue(): readonly CatalogueAction[] {
  read = true
  const file = process.env['SLUICE_STEP_CONTEXT']
  const given = file === undefined ? {} : (fromJson(readFileSync(file, 'utf8')) as { model_actions?: Written[] })
  return (given.model_actions ?? []).map(catalogueAction)
}

/** Whether `catalogue()` has been called; read by the runner. */
export const hasCatalogueBeenRead = (): boolean => read

/** Catalogue as the service writes it. */
export interface Written {
  readonly action: string
  readonly step_name: string
  readonly description: string | null
  readonly pre_reqs: readonly string[]
  readonly ignore_failure: boolean
  readonly run_as: 'sequential' | 'parallel'
}

export const catalogueAction = (written: Written): CatalogueAction => ({
  action: written.action,
  stepName: written.step_name,
  description: written.description,
  needs: written.pre_reqs,
  ignoreFailure: written.ignore_failure,
  runAs: written.run_as,
})
