import { ChevronsRight, Columns3, Hand, Hourglass, type LucideIcon, Play, Workflow } from 'lucide-react'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { Panel } from '../../components/page/page.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import { type PreviewKind, type PreviewStep, previewOf, type ShownStep } from './preview.ts'
import styles from './preview-panel.module.css'

interface PreviewPanelProps {
  /** Steps of the last definition without errors. */
  readonly steps: readonly ShownStep[] | undefined
  /** Whether the definition has errors now, so that the steps are those of an earlier text. */
  readonly isStale: boolean
  readonly onGoTo: (line: number) => void
}

/** Steps of the workflow as nested lists: what runs in order, what at the same time, and what it waits for. */
export function PreviewPanel({ steps, isStale, onGoTo }: PreviewPanelProps) {
  return (
    <div className={styles['panel']}>
      <Panel title={texts.preview}>
        {steps && isStale && <p className={styles['stale']}>{texts.previewStale}</p>}
        {steps ? (
          <Steps steps={previewOf(steps)} label={texts.previewLabel} onGoTo={onGoTo} />
        ) : (
          <p className={styles['soft']}>{texts.previewNone}</p>
        )}
      </Panel>
    </div>
  )
}

interface StepsProps {
  readonly steps: readonly PreviewStep[]
  readonly label?: string
  readonly isParallel?: boolean
  readonly onGoTo: (line: number) => void
}

function Steps({ steps, label, isParallel = false, onGoTo }: StepsProps) {
  return (
    <ol className={`${styles['steps']} ${isParallel ? styles['parallel'] : ''}`} aria-label={label}>
      {steps.map(step => (
        <li key={step.key}>
          <Step step={step} onGoTo={onGoTo} />
          {step.children.length > 0 && <Steps steps={step.children} isParallel={step.isParallel} onGoTo={onGoTo} />}
        </li>
      ))}
    </ol>
  )
}

const icons: Readonly<Record<PreviewKind, LucideIcon>> = {
  change: Play,
  wait: Hourglass,
  approval: Hand,
  workflow: Workflow,
  stage: ChevronsRight,
}

function Step({ step, onGoTo }: { step: PreviewStep; onGoTo: (line: number) => void }) {
  const { kind, name, line, targets, facts, isParallel } = step
  const Icon = kind === 'stage' && isParallel ? Columns3 : icons[kind]
  return (
    <div className={`${styles['step']} ${styles[kind]}`}>
      <span className={styles['icon']}>
        <Icon size={15} role="img" aria-label={texts.kinds[kind]} />
      </span>
      <span className={styles['text']}>
        {line === undefined ? (
          <span className={styles['name']}>{name}</span>
        ) : (
          <button
            type="button"
            className={styles['name']}
            title={texts.goToLine(name, line)}
            onClick={() => onGoTo(line)}
          >
            {name}
          </button>
        )}
        {targets.map(path => (
          <span key={path} className={styles['target']}>
            {path.startsWith('/projects/') ? <NodePath path={path} /> : <code>{path}</code>}
          </span>
        ))}
        {[...(isParallel ? [texts.parallel] : []), ...facts].map(fact => (
          <span key={fact} className={styles['fact']}>
            {fact}
          </span>
        ))}
      </span>
    </div>
  )
}
