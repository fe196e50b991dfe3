import Type from 'typebox'
import { type AnyCommand, command, done, unchanged } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { versionNumber } from '#platform/documents/document.resource.ts'
import { type Failure, failure } from '#platform/failure.ts'
import { lockUnarchived, refuseArchived } from '../nodes/index.ts'
import { aboutVersion, publishVersion } from './publish-version.tx.ts'
import {
  archivedFailure,
  type FoundWorkflow,
  findWorkflow,
  notDraftsOfSteps,
  workflowPath,
} from './workflow.commands.ts'
import { findVersion, insertDraft, type StoredVersion, writeDraft } from './workflow.store.ts'
import { bodyLimit, sourceSchema, toReadProperties } from './workflow-source.ts'
import type { WriteParts } from './write-version.tx.ts'

interface Attributes {
  readonly source_yaml: string
}

interface FoundVersion extends FoundWorkflow {
  readonly version: StoredVersion
}

const versionsPath = `${workflowPath}/versions`
const attributes = Type.Object({ source_yaml: sourceSchema }, { additionalProperties: false })

export const workflowVersionCommands = (parts: WriteParts): readonly AnyCommand[] => [
  command<Attributes, FoundWorkflow>({
    name: 'workflow_versions.create',
    summary: 'Creates a new draft of a workflow.',
    method: 'POST',
    paths: [versionsPath],
    status: 201,
    event: 'api:workflow_versions:create',
    eventBody: [],
    attributes,
    bodyLimit,
    answers: 'workflow_version',
    // A new version cannot be stale.
    find: async (context, request) => {
      const { rowVersion: _, ...found } = (await findWorkflow(context, request)) ?? { node: undefined }
      return found.node && (found as FoundWorkflow)
    },
    needs: ({ workflow }, _, actor) => [...notDraftsOfSteps(actor), { right: 'update', path: workflow.path }],
    refuse: ({ node, workflow }) => refuseArchived({ node }) ?? archivedFailure(workflow),
    run: async ({ tx, actor }, { node, workflow }, { attributes: { source_yaml } }) => {
      await lockUnarchived(tx, node)
      const version = workflow.latest_version + 1
      const written = await parts.readSource(source_yaml, actor)
      const id = await insertDraft(parts.keyring, tx, workflow, { ...written, version }, actor)
      return done({ id, event: aboutVersion(workflow, version, node) })
    },
  }),
  command<Attributes, FoundVersion>({
    name: 'workflow_versions.update',
    summary: 'Updates a draft; a published version never changes.',
    method: 'PATCH',
    paths: [`${versionsPath}/:version`],
    status: 200,
    event: 'api:workflow_versions:update',
    eventBody: [],
    attributes,
    bodyLimit,
    answers: 'workflow_version',
    find: findVersionOf(parts.keyring),
    needs: ({ workflow }, _, actor) => [...notDraftsOfSteps(actor), { right: 'update', path: workflow.path }],
    refuse: ({ node, workflow, version }) =>
      refuseArchived({ node }) ?? archivedFailure(workflow) ?? publishedFailure(version),
    run: async ({ tx, actor }, { node, workflow, version }, { attributes: { source_yaml } }) => {
      await lockUnarchived(tx, node)
      if (source_yaml === version.source) return unchanged(version.id)
      await writeDraft(parts.keyring, tx, version.id, await parts.readSource(source_yaml, actor))
      return done({ id: version.id, event: aboutVersion(workflow, version.version, node) })
    },
  }),
  command<never, FoundVersion>({
    name: 'workflow_versions.publish',
    summary: 'Publishes a draft, which then never changes. Returns every error in it.',
    method: 'POST',
    paths: [`${versionsPath}/:version/publish`],
    status: 200,
    // Recorded by the code that publishes a version.
    event: null,
    eventBody: [],
    answers: 'workflow_version',
    find: findVersionOf(parts.keyring),
    needs: ({ node, workflow, version }) => [
      { right: 'update', path: workflow.path },
      ...toReadProperties(node, version.source),
    ],
    refuse: ({ node, workflow, version }) =>
      refuseArchived({ node }) ?? archivedFailure(workflow) ?? publishedFailure(version),
    run: async (context, { node, workflow, version }) => {
      await lockUnarchived(context.tx, node)
      await publishVersion(parts, context, {
        node,
        workflow,
        versionId: version.id,
        version: version.version,
        parsed: version.parsed,
      })
      return done({ id: version.id, event: {} })
    },
  }),
]

const findVersionOf =
  (keyring: Keyring) =>
  async (...given: Parameters<typeof findWorkflow>): Promise<FoundVersion | undefined> => {
    const [{ tx }, { params }] = given
    const found = await findWorkflow(...given)
    const number = versionNumber(params['version'])
    const version = found && (await findVersion(keyring, tx, found.workflow.id, number))
    return found && version && { ...found, version, rowVersion: version.row_version }
  }

const publishedFailure = ({ version, published }: StoredVersion): Failure | undefined =>
  published ? failure('wrong-state', `Version ${version} is published and never changes: make a new draft.`) : undefined
