import type { Domain } from '#platform/domain.ts'
import { deleteUnusedCatalogues } from './unused-catalogues.jobs.ts'

export {
  type CatalogueKey,
  type Derived,
  findCatalogue,
  giveActions,
  type ProgramSources,
  type StoredCatalogue,
  storeDerived,
  storeDerivedFor,
} from './catalogue.store.ts'
export { readChildSteps } from './child-steps.ts'
export { catalogueEntries, readActionsOfModel, withModelActions } from './model-actions.ts'
export { findModelFile } from './model-file.store.ts'
export { programSource } from './program-actions.ts'
export { type CommitParts, catalogueAt, hasActionsFile, loadCatalogue, propertyFilesAt } from './read-commit.tx.ts'

/** Actions that commits, programs and models offer, read once for each commit. */
export const actionCatalogueDomain: Domain = { name: 'action-catalogue', jobs: [deleteUnusedCatalogues] }
