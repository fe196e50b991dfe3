import Type from 'typebox'
import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { sql } from '#platform/db/sql.ts'
import type { Extends } from '#platform/domain.ts'
import type { Reader, Row } from '#platform/jsonapi/resource.ts'
import { findNodeById } from '../nodes/index.ts'
import { type CurrentModel, type CurrentModelParts, currentModel } from './current-model.tx.ts'
import { invalidReasons } from './model-state.ts'

/** Current model of a row, computed once for all attributes of one asset's document. */
export type ModelOfRow = (row: Row, reader: Reader) => Promise<CurrentModel>

export function modelOfRow(parts: CurrentModelParts): ModelOfRow {
  const found = new WeakMap<Row, Promise<CurrentModel>>()
  const find = async (row: Row, { database }: Reader): Promise<CurrentModel> => {
    // Read with the document, unless a sparse fieldset excludes it: most assets have no model.
    if (row['erb_file_content'] === null) return { state: 'none' }
    const node = await findNodeById(database, row.id)
    return node ? currentModel(parts, database, node) : { state: 'none' }
  }
  return (row, reader) => {
    const known = found.get(row) ?? find(row, reader)
    found.set(row, known)
    return known
  }
}

/** Actions of the model, for callers who may read the model. */
export const modelActionsOfRow =
  (ofRow: ModelOfRow) =>
  async (row: Row, reader: Reader): Promise<ActionCatalogue | undefined> => {
    if (!reader.actor.rights.may('read', `${row['path']}/model`)) return undefined
    const model = await ofRow(row, reader)
    return model.state === 'valid' ? model.actions() : undefined
  }

/** Attributes of an asset's document about its model. */
export const assetModel = (ofRow: ModelOfRow): Extends => ({
  columns: {
    model_valid: {
      kind: 'boolean',
      sql: sql`true`,
      showOnly: true,
      describe: 'Whether there is a model of the current commit and converged properties.',
      read: async (_, reader, row) => (await ofRow(row, reader)).state === 'valid',
    },
    model_invalid_reason: {
      kind: 'text',
      sql: sql`''`,
      showOnly: true,
      nullable: true,
      describe: 'Why it is not; null if there is nothing to render.',
      schema: Type.Union([...invalidReasons.map(reason => Type.Literal(reason)), Type.Null()]),
      read: async (_, reader, row) => {
        const model = await ofRow(row, reader)
        return model.state === 'invalid' ? model.reason : null
      },
    },
    erb_file_content: {
      kind: 'text',
      sql: sql`(select f.content
                  from template_version_commits c
                  join model_files f on f.git_remote_id = c.git_remote_id and f.commit_sha = c.commit_sha
                                    and f.folder = n.template_code
                 where c.template_version_id = n.template_version_id and c.active_to is null)`,
      showOnly: true,
      describe: "The file that its model is rendered from; '' where its template has none.",
      read: content => content ?? '',
    },
  },
  links: row => ({ models: `/api${row['path']}/models`, model_history: `/api${row['path']}/model_history` }),
})
