import { write } from '../../api/client.ts'
import type { Resource, Workflow, WorkflowVersion } from '../../api/records.ts'
import { readVersioned } from '../../api/versioned.ts'
import type { ShownStep } from './preview.ts'

/** Newest definition of a workflow, as read from the service, with what a write needs to notice that it has changed. */
export interface Source {
  readonly workflow: Resource<Workflow>
  readonly version: Resource<WorkflowVersion>
  readonly text: string
  /** ETag of the draft, or of the workflow if its newest version is published and a write creates a new draft. */
  readonly etag: string
}

/** Reads the newest version of the workflow at an API path, draft or published. */
export async function readSource(path: string): Promise<Source> {
  const workflow = await readVersioned<Workflow>(path)
  const version = await readVersioned<WorkflowVersion>(`${path}/versions/${workflow.record.attributes.latest_version}`)
  const { draft, source_yaml: text } = version.record.attributes
  return {
    workflow: workflow.record,
    version: version.record,
    text,
    etag: (draft ? version : workflow).etag,
  }
}

/**
 * Writes a text into the draft, or into a new one.
 *
 * @throws Refused with status 412 or 409 if somebody else has saved or published since `base` was read
 */
export async function writeSource(path: string, base: Source, text: string): Promise<Source> {
  const { draft, version } = base.version.attributes
  await write('PATCH', draft ? `${path}/versions/${version}` : path, { attributes: { source_yaml: text } }, base)
  return readSource(path)
}

/** Steps of a version; undefined for a draft with errors. */
export const stepsOf = ({ attributes: { steps } }: Resource<WorkflowVersion>): readonly ShownStep[] | undefined =>
  (steps as readonly unknown[] | null)?.map(step => step as ShownStep)

/** Definition that a new workflow begins with. */
export const starter = `# Steps run one after the other. Reference: docs/reference/workflow-yaml.md
steps:
  - type: wait
    name: Is everything ready?
  # - target: environments/test/assets/web
  #   action: deploy
  # - name: Both at once
  #   run_as: parallel
  #   children:
  #     - target: environments/live/assets/web
  #       action: deploy
  # - name: Approve the release
  #   requires_approval_from: { user_names: [ann] }
`
