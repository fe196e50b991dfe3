import { Link } from '@tanstack/react-router'
import { useDocument } from '../../api/queries.ts'
import { isStatus } from '../../api/query-client.ts'
import type { Document, Resource } from '../../api/records.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { access } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import { nodeAccess as texts } from '../../messages/node-access.ts'
import type { NodeTabProps } from '../projects/node-tab.ts'
import styles from './access.module.css'
import { type Assignee, assigneeText, kindOf } from './assignee.ts'
import { PolicyLinks } from './policy-links.tsx'
import own from './rights-table.module.css'
import { RightsTable } from './rights-table.tsx'
import type { Right } from './search.ts'

interface Policy {
  readonly id: string
  readonly name: string
}

type RuleOfNode = Readonly<Record<Right, boolean | null>> & {
  readonly id: string
  readonly path: string
  readonly authorisation_policies: readonly Policy[]
}

type Person = Readonly<Record<Right, boolean>> & {
  readonly username: string
  readonly superuser: boolean
  readonly blocked: boolean
  readonly authorisation_policies: readonly Policy[]
}

interface AccessSummary {
  readonly rules: readonly RuleOfNode[]
  readonly assignments: readonly (Assignee & { readonly authorisation_policy_id: string })[]
  readonly people: readonly Person[]
  readonly hidden_rules: number
  readonly more_rules: boolean
  readonly more_people: boolean
}

/** Who may do what on a node: the people whom its rules reach, the groups that have them, and the rules. */
export default function NodeAccessTab({ path }: NodeTabProps) {
  const query = useDocument<Document<Resource<AccessSummary>>>('/api/access_summary', { node_path: path })
  if (isStatus(query.error, 403))
    return (
      <EmptyState title={texts.forbidden}>{general.needsRight('read', `${path}/authorisation_policies`)}</EmptyState>
    )
  if (!query.data) return <Unread query={query} />
  const summary = query.data.data.attributes
  return (
    <div className={styles['stack']}>
      <People summary={summary} path={path} />
      <Assigned summary={summary} />
      <Rules summary={summary} />
    </div>
  )
}

interface PartProps {
  readonly summary: AccessSummary
}

function People({
  summary: { people, more_people: hasMore, more_rules: tooMany, rules },
  path,
}: PartProps & { path: string }) {
  const note = tooMany ? texts.moreRules(rules.length) : people.length === 0 ? texts.noPeople : texts.peopleDetail
  return (
    <Panel title={texts.people} flush>
      <p className={own['note']}>{note}</p>
      {people.length > 0 && (
        <RightsTable
          label={texts.peopleLabel}
          title={texts.user}
          words={{ yes: access.may, no: access.mayNot }}
          rows={people.map(person => ({
            key: person.username,
            head: <PersonLink person={person} path={path} />,
            rights: person,
            policies: person.authorisation_policies,
            withoutPolicies: texts.viaGroup,
          }))}
        />
      )}
      {hasMore && <p className={own['note']}>{texts.morePeople(people.length)}</p>}
    </Panel>
  )
}

/** Name of a person, which leads to the explanation of their rights here. */
const PersonLink = ({ person: { username, superuser, blocked }, path }: { person: Person; path: string }) => (
  <span className={own['person']}>
    <Link to="/access" search={{ view: 'check', user: username, path, right: 'read' }}>
      {username}
    </Link>
    {superuser && <Tag>{texts.superuser}</Tag>}
    {blocked && <Tag>{texts.blocked}</Tag>}
  </span>
)

/** Users, groups and everyone, each with the policies that are assigned to them. */
function Assigned({ summary: { assignments, rules, people } }: PartProps) {
  const names = new Map([...rules, ...people].flatMap(each => each.authorisation_policies).map(each => [each.id, each]))
  const groups = [...Map.groupBy(assignments, assigneeText)].filter(([, [first]]) => first && kindOf(first) !== 'user')
  const users = [...Map.groupBy(assignments, assigneeText)].filter(([, [first]]) => first && kindOf(first) === 'user')
  return (
    <Panel title={texts.assignments} flush>
      <p className={own['note']}>{assignments.length === 0 ? texts.noAssignments : texts.assignmentsDetail}</p>
      <ul className={own['assignments']}>
        {[...groups, ...users].map(([assignee, those]) => (
          <li key={assignee}>
            <span className={own['assignee']}>{assignee}</span>
            <PolicyLinks policies={those.flatMap(each => names.get(each.authorisation_policy_id) ?? [])} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Rules({ summary: { rules, hidden_rules: hidden } }: PartProps) {
  return (
    <Panel title={texts.rules} flush>
      <p className={own['note']}>{rules.length === 0 ? texts.noRules : texts.rulesDetail}</p>
      {rules.length > 0 && (
        <RightsTable
          label={texts.rulesLabel}
          title={access.path}
          rows={rules.map(rule => ({
            key: rule.id,
            head: <span className={styles['path']}>{rule.path}</span>,
            rights: rule,
            policies: rule.authorisation_policies,
          }))}
        />
      )}
      {hidden > 0 && <p className={own['note']}>{texts.hiddenRules(hidden)}</p>}
    </Panel>
  )
}
