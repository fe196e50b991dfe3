import { Trash2 } from 'lucide-react'
import { IconButton } from '../../components/button/button.tsx'
import { access as texts } from '../../messages/access.ts'
import { PathField } from './path-field.tsx'
import type { RuleDraft } from './rule-drafts.ts'
import styles from './rules-editor.module.css'
import { rights } from './search.ts'
import { ThreeState } from './three-state.tsx'

interface RuleProps {
  readonly rule: RuleDraft
  readonly onChange: (rule: RuleDraft) => void
}

/** The four rights of a rule. */
export function RightsOfRule({ rule, onChange }: RuleProps) {
  return (
    <div className={styles['rights']}>
      {rights.map(right => (
        <div key={right} className={styles['right']}>
          <span className={styles['rightName']} aria-hidden>
            {texts.rights[right]}
          </span>
          <ThreeState
            label={texts.stateOf(texts.rights[right], rule.path)}
            value={rule[right]}
            onChange={value => onChange({ ...rule, [right]: value })}
          />
        </div>
      ))}
    </div>
  )
}

interface RuleRowProps extends RuleProps {
  /** Number of rules above it in the tree of paths. */
  readonly depth: number
  readonly error?: string | undefined
  readonly onRemove: () => void
}

/** Rule of a policy: its path, indented below the rules that cover it, and its rights. */
export function RuleRow({ rule, depth, error, onChange, onRemove }: RuleRowProps) {
  return (
    <li className={styles['row']} style={{ '--depth': Math.min(depth, 6) } as React.CSSProperties}>
      <div className={styles['path']}>
        <PathField
          label={texts.rulePath}
          value={rule.path}
          error={error}
          onChange={path => onChange({ ...rule, path })}
        />
        {rule.name && <span className={styles['ruleName']}>{rule.name}</span>}
      </div>
      <RightsOfRule rule={rule} onChange={onChange} />
      <IconButton label={texts.removeRule(rule.path)} variant="quiet" onClick={onRemove}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </li>
  )
}
