import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useRecord } from '../../api/queries.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { Page } from '../../components/page/page.tsx'
import { Star } from '../../components/star/star.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/state/state.tsx'
import { Tabs } from '../../components/tabs/tabs.tsx'
import { useKeys } from '../../keyboard/shortcuts.ts'
import { general } from '../../messages/general.ts'
import { projects as texts } from '../../messages/projects.ts'
import { useVisit } from '../../preferences/use-recent-nodes.ts'
import { canHaveChanges, isNode, type NodeRecord, nodePath, nodeType, parentPathOf, splatOf } from './node.ts'
import { NodeActions } from './node-actions.tsx'
import { nodeCommands } from './node-commands.ts'
import styles from './node-page.module.css'
import { nodeTree, siblingOf } from './node-tree.ts'
import { NodeTypeIcon } from './node-type-icon.tsx'
import { useTree } from './nodes.ts'
import { keptSearch } from './search.ts'
import { ShowTreeButton } from './show-tree-button.tsx'
import { nodeTabs, tabsOf } from './tabs.ts'

const RunSheet = lazy(async () => ({ default: (await import('../run/run-sheet.tsx')).RunSheet }))

/** One node: its heading, its actions, and the tab of the address. */
export function NodePage() {
  const { _splat: splat = '' } = useParams({ from: '/projects/$' })
  const node = useRecord<'asset'>(`/api/projects/${splat}`)
  if (node.isPending) return <Skeleton />
  if (node.isError)
    return (
      <Missing>
        <ErrorState error={node.error} onRetry={() => void node.refetch()} />
      </Missing>
    )
  if (!isNode(node.data))
    return (
      <Missing>
        <EmptyState title={general.notFound}>{general.notFoundDetail}</EmptyState>
      </Missing>
    )
  return <Node key={node.data.id} node={node.data as NodeRecord} />
}

function Node({ node }: { node: NodeRecord }) {
  const { tab: wanted = nodeTabs[0]?.id, run } = useSearch({ from: '/projects/$' })
  const navigate = useNavigate({ from: '/projects/$' })
  const path = nodePath(node)
  const { name, code, archived, description } = node.attributes
  useVisit(path)
  const tabs = tabsOf(node)
  const tab = tabs.find(({ id }) => id === wanted)
  const open = (id: string | undefined) =>
    void navigate({ search: before => ({ ...keptSearch(before), tab: id === tabs[0]?.id ? undefined : id }) })
  const { nodes } = useTree()
  const openSibling = (step: 1 | -1) => {
    const sibling = siblingOf(nodeTree(nodes.records.map(({ attributes }) => attributes)), path, step)
    if (sibling === undefined) return
    void navigate({ params: { _splat: splatOf(sibling) }, search: keptSearch })
  }
  useKeys('node', {
    previous: () => openSibling(-1),
    next: () => openSibling(1),
    tab: pressed => {
      const chosen = tabs[Number(pressed) - 1]
      if (chosen) open(chosen.id)
    },
  })

  return (
    <Page
      above={<Above path={path} />}
      title={
        <>
          <NodeTypeIcon type={nodeType(node)} size={20} />
          <h1>{name}</h1>
          {name !== code && <code className={styles['code']}>{code}</code>}
          {archived && <Tag>{texts.archived}</Tag>}
          <Template node={node} />
          <Star path={path} name={name} />
        </>
      }
      documentTitle={tab && tab !== tabs[0] ? `${tab.text} · ${name}` : name}
      subtitle={description !== '' && description}
      actions={<NodeActions node={node} path={path} />}
      commands={nodeCommands(node, tab?.id)}
    >
      {archived && <p className={styles['notice']}>{texts.archivedNotice}</p>}
      <div className={styles['tabs']} data-keys="node">
        <Tabs
          label={texts.tabsLabel}
          tabs={tabs.map(({ id, text }) => [id, text])}
          current={tab?.id ?? ''}
          keep={keptSearch}
        />
      </div>
      {tab ? (
        <Suspense fallback={<Skeleton />}>
          <tab.component node={node} path={path} />
        </Suspense>
      ) : (
        <EmptyState title={texts.noSuchTab}>
          <p>{texts.noSuchTabDetail}</p>
          <Link to="." search={before => ({ ...before, tab: undefined })}>
            {texts.openOverview}
          </Link>
        </EmptyState>
      )}
      {run !== undefined && canHaveChanges(node) && (
        <Suspense>
          <RunSheet
            subject={{ node, path, action: run }}
            onClose={() => void navigate({ search: before => ({ ...before, run: undefined }), replace: true })}
          />
        </Suspense>
      )}
    </Page>
  )
}

/** Breadcrumbs of the nodes above, and the way back to the tree where it is not beside the node. */
function Above({ path }: { path: string }) {
  const parent = parentPathOf(path)
  const search = useSearch({ strict: false })
  return (
    <div className={styles['above']}>
      <ShowTreeButton />
      <Link to="/projects" search={{ ...search }} className={styles['back']}>
        {texts.title}
      </Link>
      {parent && (
        <>
          <span aria-hidden className={styles['back']}>
            /
          </span>
          <NodePath path={parent} links />
        </>
      )}
    </div>
  )
}

function Template({ node }: { node: NodeRecord }) {
  const { template_code: code, template_version: version } = node.attributes
  if (typeof code !== 'string') return null
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, tab: 'versions' })}
      className={styles['template']}
      title={texts.templateVersion}
    >
      <GitBranch size={14} aria-hidden />
      {code} {version}
    </Link>
  )
}

function Missing({ children }: { children: ReactNode }) {
  return (
    <Page
      title={texts.title}
      documentTitle={texts.title}
      above={<Above path="/projects/x" />}
      commands={['sluice list projects']}
    >
      {children}
    </Page>
  )
}
