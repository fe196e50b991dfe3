import { useRecord } from '../../api/queries.ts'
import { Confirm } from '../../components/dialog/dialog.tsx'
import { Diff } from '../../components/diff/diff.tsx'
import { Skeleton } from '../../components/state/state.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import type { Definition } from './use-definition.ts'

interface PublishDialogProps {
  /** Path of the workflow in the API. */
  readonly path: string
  readonly definition: Definition
  readonly onClose: () => void
}

/** Dialog that says what a publication replaces, with the differences, and publishes. */
export function PublishDialog({ path, definition, onClose }: PublishDialogProps) {
  const { base, text, publish, isPublishing } = definition
  const { latest_published_version: before } = base.workflow.attributes
  const { version, draft } = base.version.attributes
  // A text that is not saved yet becomes a new draft if the newest version is published.
  const number = draft ? version : version + 1
  const published = useRecord<'workflow_version'>(`${path}/versions/${before}`, undefined, { enabled: before !== null })
  const replaced = published.data?.attributes.source_yaml
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.publishTitle(number)}
      description={before === null ? texts.publishFirst : texts.publishReplaces(before)}
      action={texts.publishAction}
      busy={isPublishing}
      onConfirm={() => void publish().then(onClose)}
    >
      {before !== null && published.isPending && <Skeleton rows={4} />}
      {before !== null && replaced !== undefined && (
        <Diff
          before={replaced}
          after={text}
          beforeLabel={texts.publishedLabel(before)}
          afterLabel={texts.draftLabel(number)}
          language="yaml"
          layout="unified"
        />
      )}
    </Confirm>
  )
}
