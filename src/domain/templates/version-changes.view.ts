import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { type Git, GitFailure } from '../git/index.ts'
import { templateByPath } from './template.store.ts'
import { versionPath } from './template-version.commands.ts'
import { findVersionNamed, type TemplateVersion } from './template-version.store.ts'

interface Found extends Target {
  readonly version: TemplateVersion
  /** Version that it is compared with; undefined if the template has none of that name. */
  readonly since: TemplateVersion | undefined
}

/** GET …/versions/{v}/changes?since={w}: commits and files that a node gets, or loses, with another version. */
export const versionChangesView = (git: Git): AnyView =>
  view<Found>({
    name: 'template_versions.changes',
    summary: 'Commits and files in which a version differs from another version of the template.',
    describe:
      'Read from the Git mirror: commits that only this version has, and commits that only the other one has (two hundred of each at most, newest first), and the files that differ (a thousand at most). The counts are those of all.',
    method: 'GET',
    paths: [`${versionPath}/changes`],
    parameters: {
      since: {
        schema: Type.String({ minLength: 1, maxLength: 100 }),
        describe: 'Version that it is compared with: the one that a node has now.',
        required: true,
      },
    },
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params, query }) => {
      const template = await database.one(templateByPath(params))
      if (!template) return undefined
      const [version, since] = await Promise.all([
        findVersionNamed(database, template.id, params['version'] ?? ''),
        findVersionNamed(database, template.id, String(query['since'])),
      ])
      return version && { version, since, readPath: template.path }
    },
    needs: () => [],
    run: async ({ version, since }, { query }) => {
      const parameter = { source: { parameter: 'since' } }
      if (!since) throw failure('invalid', `The template has no version "${String(query['since'])}".`, parameter)
      const [from, to] = [commitOf(since), commitOf(version)]
      if (since.git_remote_id !== version.git_remote_id)
        throw failure(
          'not-supported-here',
          `Versions "${since.version}" and "${version.version}" come from different Git remotes, which have no commits in common.`,
          parameter,
        )
      return {
        body: {
          data: {
            id: version.id,
            type: 'template_version_changes',
            attributes: {
              version: version.version,
              commit_sha: to,
              since: since.version,
              since_commit_sha: from,
              ...(await compared(git, version.git_remote_id, from, to)),
            },
          },
        },
      }
    },
  })

function commitOf({ version, commit_sha: commit }: TemplateVersion): string {
  if (commit === null)
    throw failure('wrong-state', `Version "${version}" has no commit yet: its repository has not been fetched.`)
  return commit
}

async function compared(git: Git, remoteId: string, from: string, to: string) {
  try {
    return await git.compare(remoteId, from, to)
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    throw failure('wrong-state', `The Git remote cannot be read: ${error.message}`)
  }
}
