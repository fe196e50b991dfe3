import type { Domain } from '#platform/domain.ts'
import { assetModel, type ModelOfRow } from './asset-model.resource.ts'
import type { CurrentModelParts } from './current-model.tx.ts'
import { deleteModelsOfNodes, deleteOldModels } from './delete-models.jobs.ts'
import { modelCommands } from './model.commands.ts'
import { modelResource } from './model.resource.ts'
import { deleteModelsOfVersions, sealedModels } from './model.store.ts'

export { modelActionsOfRow, modelOfRow } from './asset-model.resource.ts'
export { type CurrentModel, currentModel, lastModelActions } from './current-model.tx.ts'
export { generateModel } from './generate-model.task.ts'
export { renderInThread } from './renderer.adapter.ts'

/**
 * Domain of models: templates' models rendered for assets, in an interpreter of their own, and stored with their
 * inputs.
 */
export const modelsDomain = ({
  keyring,
  converge,
  ofRow,
}: CurrentModelParts & { readonly ofRow: ModelOfRow }): Domain => ({
  name: 'models',
  resources: [modelResource(keyring)],
  commands: modelCommands,
  jobs: [deleteOldModels({ keyring, converge })],
  deleteNodeData: deleteModelsOfNodes,
  sealed: [sealedModels],
  extends: {
    asset: assetModel(ofRow),
    // A version of destroyed assets only may be deleted before their models are cleaned up.
    template_version: { onDestroy: async ({ tx }, ids) => void (await deleteModelsOfVersions(tx, ids)) },
  },
})
