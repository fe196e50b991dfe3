import { useQuery } from '@tanstack/react-query'
import { Check, Save, UploadCloud } from 'lucide-react'
import { useState } from 'react'
import { isPermitted } from '../../api/permitted.ts'
import { Button } from '../../components/button/button.tsx'
import { Editor } from '../../components/editor/editor.tsx'
import { useMediaQuery } from '../../components/page/use-media-query.ts'
import { Unread } from '../../components/state/query-states.tsx'
import { workflowEditor as texts, workflows } from '../../messages/workflows.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import styles from './editor-tab.module.css'
import { LeaveDialog } from './leave-dialog.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { ProblemList } from './problem-list.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { readSource, type Source, stepsOf } from './source.ts'
import { useCheck } from './use-check.ts'
import { useCompletion } from './use-completion.ts'
import { type Definition, useDefinition } from './use-definition.ts'

interface EditorTabProps {
  /** Path of the workflow in the API. */
  readonly path: string
  readonly project: string
}

/** Reads the newest definition and shows the editor for it. */
export function EditorTab({ path, project }: EditorTabProps) {
  const source = useQuery({
    queryKey: ['workflow-source', path],
    queryFn: () => readSource(path),
    // An editor must not begin with an old text, and what it has is not replaced while somebody types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (source.data === undefined) return <Unread query={source} skeleton={10} />
  return <DefinitionEditor path={path} project={project} initial={source.data} />
}

function DefinitionEditor({ path, project, initial }: EditorTabProps & { initial: Source }) {
  const definition = useDefinition(path, initial)
  const check = useCheck(project, definition.text, stepsOf(initial.version))
  const completion = useCompletion(project)
  const [place, setPlace] = useState<{ line: number; column?: number }>()
  const [isPublishing, setPublishing] = useState(false)
  const isWide = useMediaQuery('(min-width: 1000px)')
  const { base, text, setText } = definition
  const whyNot = whyReadOnly(base)
  const problems = check.result?.problems ?? []

  return (
    <div className={styles['layout']}>
      <div className={styles['main']}>
        <Toolbar
          definition={definition}
          whyNot={whyNot}
          hasProblems={!check.isPending && problems.length > 0}
          onCheck={check.checkNow}
          onPublish={() => setPublishing(true)}
        />
        <Editor
          label={texts.label(base.workflow.attributes.name)}
          language="yaml"
          value={text}
          onChange={setText}
          readOnly={whyNot !== undefined}
          problems={problems}
          completion={completion}
          reveal={place}
          onSave={() => {
            if (definition.isDirty) void definition.save()
          }}
          onSubmit={check.checkNow}
          size={isWide ? 'fill' : 'content'}
        />
        <ProblemList check={check} onGoTo={(line, column) => setPlace({ line, column })} />
      </div>
      <PreviewPanel steps={check.steps} isStale={problems.length > 0} onGoTo={line => setPlace({ line })} />
      <ConflictDialog definition={definition} />
      <LeaveDialog definition={definition} />
      {isPublishing && <PublishDialog path={path} definition={definition} onClose={() => setPublishing(false)} />}
    </div>
  )
}

/** Why the definition cannot be edited; undefined if it can. */
function whyReadOnly({ workflow }: Source): string | undefined {
  if (workflow.attributes.archived) return workflows.isArchived
  return isPermitted(workflow, 'update')
    ? undefined
    : workflows.needsUpdate(workflow.links?.['self']?.replace('/api', '') ?? '')
}

interface ToolbarProps {
  readonly definition: Definition
  readonly whyNot: string | undefined
  readonly hasProblems: boolean
  readonly onCheck: () => void
  readonly onPublish: () => void
}

function Toolbar({ definition, whyNot, hasProblems, onCheck, onPublish }: ToolbarProps) {
  const { base, isDirty, isSaving, isPublishing } = definition
  const { version, draft, created_by: user } = base.version.attributes
  const whyNotSave = whyNot ?? (isDirty ? undefined : texts.nothingToSave)
  const whyNotPublish =
    whyNot ?? (hasProblems ? texts.hasProblems : draft || isDirty ? undefined : texts.nothingToPublish)
  const edited = whyNot ? texts.readsVersion(version) : draft ? texts.editsDraft(version) : texts.editsNew(version)
  return (
    <div className={styles['toolbar']}>
      <span className={styles['edited']}>
        {edited} <span className={styles['soft']}>{texts.savedBy(user)}</span>
      </span>
      {isDirty && (
        <span className={styles['unsaved']} role="status">
          {texts.unsaved}
        </span>
      )}
      <span className={styles['buttons']}>
        <Button size="small" title={texts.checkHint} onClick={onCheck}>
          <Check size={15} aria-hidden />
          {texts.check}
        </Button>
        <Button
          size="small"
          title={texts.saveHint}
          disabledReason={whyNotSave}
          busy={isSaving}
          onClick={() => void definition.save()}
        >
          <Save size={15} aria-hidden />
          {texts.save}
        </Button>
        <Button size="small" variant="primary" disabledReason={whyNotPublish} busy={isPublishing} onClick={onPublish}>
          <UploadCloud size={15} aria-hidden />
          {texts.publish}
        </Button>
      </span>
    </div>
  )
}
