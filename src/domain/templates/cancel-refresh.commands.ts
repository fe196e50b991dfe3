import { theService } from '#platform/actor.ts'
import { type AnyCommand, command, done } from '#platform/commands/command.ts'
import { failure } from '#platform/failure.ts'
import { cancelTask, lockTasksOfVersion, type TaskType, typeOf } from '../node-tasks/index.ts'
import type { FoundTemplate } from './template.commands.ts'
import { aboutVersion, findVersionOrTemplate, versionPath } from './template-version.commands.ts'
import { closeRequest, type TemplateVersion } from './template-version.store.ts'

/**
 * Cancels the fetch of a version. One that is moving to another commit stays where it is; one that never had a commit
 * is broken until it is requested to move again. A running fetch for it is stopped, or its result is dropped.
 */
export const cancelRefresh = (types: readonly TaskType[]): AnyCommand =>
  command<never, FoundTemplate & { version: TemplateVersion }>({
    name: 'template_versions.cancel_refresh',
    summary: 'Cancels the fetch of a version and the refresh of its actions.',
    method: 'POST',
    paths: [`${versionPath}/cancel_refresh`],
    status: 200,
    event: 'info:template_version:refresh_cancelled',
    eventBody: [],
    answers: 'template_version',
    find: async (context, request) => {
      const found = await findVersionOrTemplate(context, request)
      return found?.version && { ...found, version: found.version }
    },
    needs: ({ template }) => [{ right: 'update', path: template.path }],
    refuse: ({ version }) =>
      version.fetch_open
        ? undefined
        : failure('wrong-state', `Version "${version.version}" is not being refreshed: there is nothing to cancel.`),
    run: async (context, { node, template, version }) => {
      const { tx, actor } = context
      const error = `The refresh was cancelled by ${actor.username}.`
      const became = await closeRequest(tx, version, error)
      for (const task of await lockTasksOfVersion(tx, version.id))
        if (task.cancelled_by === null) await cancelTask(context, typeOf(types, task), task)
      const event = aboutVersion({ id: version.id, version: version.version, template, node })
      if (became === 'broken') {
        const attributes = { ...event.attributes, error }
        await context.record({ ...event, type: 'error:template_version:broken', actor: theService, attributes })
      }
      return done({ id: version.id, event })
    },
  })
