import { Ban, CircleCheck } from 'lucide-react'
import { useDocument } from '../../api/queries.ts'
import type { Resource } from '../../api/records.ts'
import { Select } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { Panel } from '../../components/page/page.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { access as texts } from '../../messages/access.ts'
import styles from './access.module.css'
import table from './may-do.module.css'
import { PathField } from './path-field.tsx'
import { PolicyLinks } from './policy-links.tsx'
import { rightsText } from './rule-drafts.ts'
import { type Right, rights, type ViewProps } from './search.ts'

type DecidingRule = Readonly<Record<Right, boolean | null>> & {
  readonly id: string
  readonly path: string
  readonly authorisation_policies: readonly { readonly id: string; readonly name: string }[]
}

interface Decision {
  readonly right: Right
  readonly path: string
  readonly allowed: boolean
  readonly reason: string
  readonly authorisation_rules: readonly DecidingRule[]
  readonly other_rules: readonly (DecidingRule & { readonly reason: string })[]
}

/** One decision explained: whether a user has a right on a path, by which rule, and why other rules did not decide. */
export function CheckDecision({ username, search, onChange }: ViewProps & { username: string }) {
  const { path, right = 'read' } = search
  const [text, setText] = useDebounced(path ?? '', value => onChange({ path: value }))
  const check = useDocument<{ data: Resource<Decision> }>(
    '/api/authorisation_check',
    { username, path: path ?? '/', right },
    { enabled: path !== undefined },
  )
  return (
    <Panel title={texts.checkTitle}>
      <div className={table['form']}>
        <PathField label={texts.path} value={text} onChange={setText} />
        <Select
          label={texts.right}
          value={right}
          onChange={value => onChange({ right: value as Right })}
          options={rights.map(each => [each, texts.rights[each]])}
        />
        {path === undefined ? (
          <p className={styles['soft']}>{texts.checkHint}</p>
        ) : (
          <Loaded query={check} skeleton={3}>
            {({ data }) => <Explained decision={data.attributes} />}
          </Loaded>
        )}
      </div>
    </Panel>
  )
}

function Explained({ decision }: { decision: Decision }) {
  const { allowed, reason, authorisation_rules: deciding, other_rules: others } = decision
  const Icon = allowed ? CircleCheck : Ban
  return (
    <>
      <div className={table['verdict']} data-allowed={allowed} role="status">
        <Icon size={18} aria-hidden />
        <div>
          <strong>{allowed ? texts.allowed : texts.denied}</strong>
          <span>{reason}</span>
        </div>
      </div>
      {deciding.length > 0 && (
        <section className={table['form']}>
          <h3>{texts.decidingRules}</h3>
          <ul className={table['decided']}>
            {deciding.map(rule => (
              <RuleText key={rule.id} rule={rule} />
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section className={table['form']}>
          <h3>{texts.otherRules}</h3>
          <ul className={table['decided']}>
            {others.map(rule => (
              <RuleText key={rule.id} rule={rule} reason={rule.reason} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function RuleText({ rule, reason }: { rule: DecidingRule; reason?: string }) {
  return (
    <li>
      <span className={styles['path']}>{rule.path}</span>
      <span className={styles['small']}>{rightsText(rule, texts.rights)}</span>
      <PolicyLinks policies={rule.authorisation_policies} />
      {reason !== undefined && <span className={styles['small']}>{reason}</span>}
    </li>
  )
}
