import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '../../api/session.tsx'
import { withoutColumns } from '../../components/list/list-parameters.ts'
import { Page } from '../../components/page/page.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { access as texts } from '../../messages/access.ts'
import styles from './access.module.css'
import { Groups } from './groups.tsx'
import { MayDo } from './may-do.tsx'
import { Policies } from './policies.tsx'
import { accessCommands } from './queries.ts'
import { RulesByPath } from './rules-by-path.tsx'
import { type AccessChanges, readAccessSearch } from './search.ts'
import { Users } from './users.tsx'

/** Policies, what a user may do, users and groups: one page of tabs. */
export function AccessPage() {
  const search = useSearch({ from: '/access' })
  const navigate = useNavigate({ from: '/access' })
  const { username } = useMe().attributes
  const view = search.view ?? 'policies'
  const change = (more: AccessChanges) =>
    void navigate({ search: { ...readAccessSearch({ ...search, ...more }) }, replace: true })
  return (
    <Page
      title={texts.title}
      documentTitle={`${texts.views[view]} · ${texts.title}`}
      subtitle={texts.subtitle}
      commands={accessCommands(search, username)}
      fill
    >
      <div className={styles['content']}>
        <Tabs
          label={texts.viewsLabel}
          tabs={Object.entries(texts.views)}
          current={view}
          parameter="view"
          keep={withoutColumns}
        />
        {view === 'policies' ? (
          <Policies search={search} onChange={change} />
        ) : view === 'paths' ? (
          <RulesByPath search={search} onChange={change} />
        ) : view === 'check' ? (
          <MayDo search={search} onChange={change} />
        ) : view === 'users' ? (
          <Users search={search} onChange={change} />
        ) : (
          <Groups search={search} onChange={change} />
        )}
      </div>
    </Page>
  )
}
