import { Link } from '@tanstack/react-router'
import { KeyRound, X } from 'lucide-react'
import { useDocument } from '../../api/queries.ts'
import type { Document, Resource } from '../../api/records.ts'
import { isSecret } from '../../api/secret-reference.ts'
import { IconButton } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { Panel } from '../../components/page/page.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { configuration as texts } from '../../messages/configuration.ts'
import { encryption } from '../../messages/encryption.ts'
import { general } from '../../messages/general.ts'
import styles from './configuration.module.css'
import { pathText, tokensOf } from './leaves.ts'
import { Value } from './leaves-table.tsx'
import type { Part } from './node.ts'
import { originOf } from './origin.ts'
import { OriginLabel } from './origin-label.tsx'

interface Layer {
  readonly source: string
  readonly wins: boolean
  readonly removes?: true
  readonly hidden?: true
  readonly value?: unknown
  readonly version?: number
  readonly created_by?: string
  readonly created_at?: string
  readonly commit_sha?: string
}

type Explanation = Document<Resource<{ is_set: boolean; value?: unknown; layers: readonly Layer[] }>>

interface ExplainPanelProps {
  readonly path: string
  readonly part: Part
  readonly pointer: string
  readonly at: string | undefined
  /** Whether the user may set an encrypted value on the node. */
  readonly canEncrypt: boolean
  readonly onClose: () => void
}

/** Panel that lists every layer of a value with what it sets, and which one is in effect. */
export function ExplainPanel({ path, part, pointer, at, canEncrypt, onClose }: ExplainPanelProps) {
  const explanation = useDocument<Explanation>(`/api${path}/converged_${part}/explain`, {
    pointer,
    ...(at !== undefined && { converge_date: at }),
  })
  const key = part === 'settings' ? tokensOf(pointer).join('.') : pathText(tokensOf(pointer))
  return (
    <Panel
      title={texts.explain(key)}
      actions={
        <IconButton label={general.close} variant="quiet" size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      }
    >
      <Loaded query={explanation} skeleton={4}>
        {({ data: { attributes } }) =>
          attributes.layers.length === 0 ? (
            <p className={styles['soft']}>{texts.notSet}</p>
          ) : (
            <Layers layers={attributes.layers} />
          )
        }
      </Loaded>
      {canEncrypt && (
        <Link
          to="."
          search={(before: Record<string, unknown>) => ({
            ...before,
            view: 'own',
            pointer: undefined,
            encrypt: pointer,
          })}
          className={styles['encrypt']}
        >
          <KeyRound size={14} aria-hidden />
          {encryption.openFor}
        </Link>
      )}
    </Panel>
  )
}

function Layers({ layers }: { layers: readonly Layer[] }) {
  return (
    <>
      <p className={styles['intro']}>{texts.explainIntro}</p>
      <ol className={styles['layers']}>
        {layers.map((layer, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may occur twice, and the order is that of the layers.
          <li key={i} className={styles['layer']} data-wins={layer.wins || undefined}>
            <div className={styles['layerHead']}>
              <OriginLabel
                origin={{ ...originOf(layer.source), ...(layer.version !== undefined && { version: layer.version }) }}
              />
              {layer.wins && <Tag>{texts.wins}</Tag>}
            </div>
            <LayerValue layer={layer} />
            <p className={styles['soft']}>
              {layer.commit_sha !== undefined && texts.commit(layer.commit_sha)}
              {layer.created_at !== undefined && (
                <>
                  <Time at={layer.created_at} /> {layer.created_by !== undefined && texts.by(layer.created_by)}
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

function LayerValue({ layer: { hidden, removes, value } }: { layer: Layer }) {
  if (hidden) return <p className={styles['soft']}>{texts.hidden}</p>
  if (removes) return <p>{texts.removes}</p>
  if (isSecret(value)) return <code>••••••</code>
  if (typeof value !== 'object' || value === null) return <Value value={value} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, also by keyboard.
    <pre className={styles['block']} tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}
