import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useList } from '../../api/queries.ts'
import type { AuthorisationPolicy, AuthorisationRule, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { Panel } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { access } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import { nodeAccess as texts } from '../../messages/node-access.ts'
import styles from './access.module.css'
import { pathRows } from './path-rows.ts'
import { ruleQuery } from './queries.ts'
import { type RightsRow, RightsTable } from './rights-table.tsx'
import type { ViewProps } from './search.ts'

/** Rules that the user may read, as a tree of their paths with the policies that have them. */
export function RulesByPath({ search, onChange }: ViewProps) {
  const [text, setText] = useDebounced(search.find ?? '', find => onChange({ find }))
  const { records, included, query } = useList<'authorisation_rule'>('/api/authorisation_rules', {
    limit: 1_000,
    include: 'authorisation_policies',
    ...ruleQuery(search),
  })
  const rows = useMemo(() => rowsOf(records, included), [records, included])
  return (
    <div className={`${styles['stack']} ${styles['scrolls']}`}>
      <div className={styles['bar']}>
        <SearchField label={texts.findPath} value={text} onChange={setText} />
        <span className={styles['small']} role="status">
          {texts.count(records.length)}
        </span>
      </div>
      <ListStates
        query={query}
        count={records.length}
        skeleton={6}
        empty={
          search.find ? (
            <EmptyState title={access.nothingMatches} />
          ) : (
            <EmptyState title={texts.noRulesAtAll} command={access.noPoliciesCommand}>
              {access.noPoliciesDetail}
            </EmptyState>
          )
        }
      >
        <Panel flush>
          <RightsTable label={texts.byPath} title={access.path} rows={rows} />
        </Panel>
        {query.hasNextPage && (
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {general.loadMore}
          </Button>
        )}
      </ListStates>
    </div>
  )
}

type Rule = Resource<AuthorisationRule>

function rowsOf(rules: readonly Rule[], included: readonly Resource[]): RightsRow[] {
  const policies = new Map(included.map(each => [each.id, each as unknown as Resource<AuthorisationPolicy>]))
  const policiesOf = ({ relationships }: Rule) =>
    [relationships?.['authorisation_policies']?.data ?? []]
      .flat()
      .flatMap(({ id }) => policies.get(id) ?? [])
      .map(({ id, attributes: { name } }) => ({ id, name }))
  return pathRows(rules.map(rule => ({ path: rule.attributes.path, rule }))).flatMap(
    ({ path, text, depth, rules: here }): RightsRow[] => {
      const head = <PathLink path={path} text={text} />
      if (here.length === 0) return [{ key: path, head, depth }]
      return here.map(({ rule }) => ({
        key: rule.id,
        head,
        depth,
        rights: rule.attributes,
        policies: policiesOf(rule),
      }))
    },
  )
}

/** Part of a path; that of a node leads to who may do what on it. */
function PathLink({ path, text }: { path: string; text: string }) {
  const [, splat] = /^\/projects\/([^/*]+(?:\/(?:environments|assets|agents)\/[^/*]+){0,2})$/.exec(path) ?? []
  if (splat === undefined)
    return (
      <span className={styles['path']} title={path}>
        {text}
      </span>
    )
  return (
    <Link
      to="/projects/$"
      params={{ _splat: splat }}
      search={{ tab: 'access' }}
      className={styles['path']}
      title={texts.openAccess(path)}
    >
      {text}
    </Link>
  )
}
