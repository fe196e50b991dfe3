import { sql } from '#platform/db/sql.ts'
import type { Domain } from '#platform/domain.ts'

import { backgroundTaskResource } from './background-task.resource.ts'
import { admitDerivations, type DerivationParts } from './derivation.jobs.ts'
import { type FetchParts, fetchVersion, followRevisions, resumeFetches, versionDerived } from './fetch-version.jobs.ts'
import { nodeTemplate } from './node-template.ts'
import { templateCommands } from './template.commands.ts'
import { templateResource, templateVersionResource } from './template.resource.ts'
import { templateVersionCommands } from './template-version.commands.ts'
import { versionHistoryResource } from './version-history.resource.ts'

export { type ActionCatalogue, type ActionDefinition, findAction, type InputArgument } from './action.ts'
export { readActionsFile } from './actions-file.ts'
export { type CatalogueKey, findCatalogue, type StoredCatalogue } from './catalogue.store.ts'
export { derivationWork } from './derivation.jobs.ts'
export { askForDerivation } from './derivation.store.ts'
export type { Derivation } from './derivation.ts'
export { type CommitInForce, commitInForce, templateOfVersion } from './node-commit.store.ts'
export { type CommitParts, catalogueAt, propertyFilesAt } from './read-commit.ts'
export { actionObjects, type StepBodies, type StepDefinition, stepTree } from './step-tree.ts'

/**
 * Templates, their versions, and which version a node has.
 *
 * @param others what templates and versions mean to other domains: their documents, what refers to them
 */
export const templatesDomain = (
  parts: FetchParts & DerivationParts & { readonly others: readonly Domain[] },
): Domain => ({
  name: 'templates',
  resources: [templateResource, templateVersionResource, versionHistoryResource, backgroundTaskResource],
  commands: [...templateCommands(parts.others), ...templateVersionCommands(parts.others)],
  jobs: [fetchVersion(parts), versionDerived(parts), followRevisions(parts)],
  loops: [resumeFetches, admitDerivations(parts)],
  extends: {
    project: {
      links: row => ({
        templates: row['type_of_project'] === 'Enterprise' ? `/api${row['path']}/templates` : undefined,
      }),
    },
    asset: nodeTemplate,
    agent: nodeTemplate,
    git_remote: {
      relationships: {
        templates: {
          kind: 'many',
          type: 'template',
          sql: sql`array(select t.id from templates t where t.git_remote_id = r.id order by t.created_at, t.id)`,
          describe: 'The templates that come from it.',
        },
      },
      inUse: ids => sql`
        select t.id, 'template' as what, t.path
          from templates t
         where t.git_remote_id = any(${ids}::uuid[])
         union
        select v.id, 'template_version', v.path
          from template_versions v
         where v.git_remote_id = any(${ids}::uuid[])
            or exists (select from template_version_commits c
                        where c.template_version_id = v.id and c.git_remote_id = any(${ids}::uuid[]))
         limit 100`,
    },
  },
  events: {
    'api:templates:create': { why: 'a template was made' },
    'api:templates:update': { why: 'a template was changed, archived or restored' },
    'api:templates:destroy': { why: 'a template was deleted' },
    'api:template_versions:update': { why: 'a template version was made or changed' },
    'api:template_versions:destroy': { why: 'a template version was deleted' },
    'info:template_version:fetch_initialize': { why: 'a version was queued for a fetch of its revision' },
    'info:template_version:fetch': { why: 'its remote is being fetched; key progress' },
    'info:template_version:fetch_complete': { why: 'the fetch ended; key success' },
    'info:template_version:refresh_superseded': { why: 'a refresh ended after a newer request had taken over' },
    'warn:template_version:float_refresh_failed': { why: 'it could not follow its revision, and keeps its commit' },
    'error:template_version:fetch': { why: 'the fetch failed; key fetch_output' },
    'error:template_version:commit_verification': { why: 'its revision stands for no commit' },
    'error:template_version:refresh_actions': { why: 'its actions or property files have faults' },
    'error:template_version:broken': { why: 'it cannot be used until it is put right' },
  },
})
