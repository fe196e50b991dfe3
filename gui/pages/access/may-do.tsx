import { Ban, Check } from 'lucide-react'
import { useId } from 'react'
import { useDocument, useList } from '../../api/queries.ts'
import type { Resource } from '../../api/records.ts'
import { useMe } from '../../api/session.tsx'
import { TextField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { Panel } from '../../components/page/page.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { access as texts } from '../../messages/access.ts'
import styles from './access.module.css'
import { CheckDecision } from './decision.tsx'
import table from './may-do.module.css'
import { PolicyLinks } from './policy-links.tsx'
import { type Right, rights, type ViewProps } from './search.ts'

type Summary = { readonly data: Resource<SummaryAttributes> }

interface SummaryAttributes {
  readonly username: string
  readonly disabled: boolean
  readonly blocked: boolean
  readonly superuser: boolean
  readonly complete: boolean
  readonly paths: readonly SummaryPath[]
}

type SummaryPath = Readonly<Record<Right, boolean>> & {
  readonly path: string
  readonly authorisation_policies: readonly { readonly id: string; readonly name: string }[]
}

/** What a user may do: the rights at the paths of all rules in force, and one decision explained. */
export function MayDo({ search, onChange }: ViewProps) {
  const me = useMe()
  const username = search.user ?? me.attributes.username
  const [text, setText] = useDebounced(search.user ?? '', user => onChange({ user }))
  const users = useList<'user'>('/api/users', { limit: 500, 'filter[sorts]': 'username' })
  const names = useId()
  const summary = useDocument<Summary>('/api/authorisation_summary', { username })
  const found = summary.data?.data.attributes
  return (
    <div className={`${styles['stack']} ${styles['scrolls']}`}>
      <div className={styles['fields']}>
        <TextField
          label={texts.whose}
          hint={texts.whoseHint}
          value={text}
          onChange={setText}
          placeholder={me.attributes.username}
          list={names}
          autoComplete="off"
        />
        <datalist id={names}>
          {users.records.map(({ id, attributes }) => (
            <option key={id} value={attributes.username} />
          ))}
        </datalist>
      </div>
      <div className={styles['columns']}>
        <Panel title={texts.summaryTitle(found?.username ?? username)} flush>
          <Loaded query={summary}>
            {() => found && <SummaryTable summary={found} onChoose={path => onChange({ path })} />}
          </Loaded>
        </Panel>
        <CheckDecision username={username} search={search} onChange={onChange} />
      </div>
    </div>
  )
}

function SummaryTable({ summary, onChoose }: { summary: SummaryAttributes; onChoose: (path: string) => void }) {
  const { disabled, blocked, superuser, complete, paths } = summary
  const whole = disabled
    ? texts.disabledMay
    : blocked
      ? texts.blockedMay
      : superuser
        ? texts.superuserMay
        : paths.length === 0
          ? texts.noPaths
          : undefined
  return (
    <>
      <p className={table['note']}>
        {whole ?? texts.summaryHint}
        {!complete && ` ${texts.incomplete}`}
      </p>
      {paths.length > 0 && (
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">{texts.path}</th>
              {rights.map(right => (
                <th key={right} scope="col" className={table['right']}>
                  {texts.rights[right]}
                </th>
              ))}
              <th scope="col" className={table['policies']}>
                {texts.policies}
              </th>
            </tr>
          </thead>
          <tbody>
            {paths.map(each => (
              <tr key={each.path}>
                <th scope="row">
                  {each.path.includes('*') ? (
                    <span className={styles['path']}>{each.path}</span>
                  ) : (
                    <button type="button" className={table['choose']} onClick={() => onChoose(each.path)}>
                      {each.path}
                    </button>
                  )}
                </th>
                {rights.map(right => (
                  <td key={right} className={table['right']}>
                    <May allowed={each[right]} />
                  </td>
                ))}
                <td className={table['policies']}>
                  <PolicyLinks policies={each.authorisation_policies} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** Whether a right is given, as an icon with a name. */
const May = ({ allowed }: { allowed: boolean }) =>
  allowed ? (
    <Check size={16} className={table['yes']} role="img" aria-label={texts.may} />
  ) : (
    <Ban size={14} className={table['no']} role="img" aria-label={texts.mayNot} />
  )
