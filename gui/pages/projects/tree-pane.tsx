import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { PanelLeftClose, Plus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useMe } from '../../api/session.tsx'
import { Button, IconButton } from '../../components/button/button.tsx'
import { Checkbox, SearchField } from '../../components/field/field.tsx'
import { useDebounced } from '../../components/field/use-debounced.ts'
import { useStored } from '../../components/split-pane/use-stored.ts'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { Tree } from '../../components/tree/tree.tsx'
import { treeRows } from '../../components/tree/tree-rows.ts'
import { actOf } from '../../keyboard/keys.ts'
import { general } from '../../messages/general.ts'
import { projects as texts } from '../../messages/projects.ts'
import { stars } from '../../messages/stars.ts'
import { mostStars, useStars } from '../../preferences/starred-nodes.ts'
import { parentPathOf, splatOf } from './node.ts'
import { filteredTree, type NodeBranch, nodeTree, type TreeNode } from './node-tree.ts'
import { useTree } from './nodes.ts'
import styles from './projects-page.module.css'
import { keptSearch } from './search.ts'
import { TreeRowContent } from './tree-row.tsx'

/** Trees of this many nodes are shown expanded. */
const few = 40

/** Tree of the nodes with its filter. */
export function TreePane({ current }: { current: string | undefined }) {
  const { nodes, setIsHidden } = useTree()
  const { records, query } = nodes
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const find = search.find ?? ''
  const [filter, setFilter] = useDebounced(find, value =>
    navigate({ to: '.', search: before => ({ ...before, find: value || undefined }), replace: true }),
  )
  const tree = useMemo(() => nodeTree(records.map(({ attributes }) => attributes)), [records])
  const shown = useMemo(() => filteredTree(tree, find), [tree, find])
  const [isExpanded, toggle] = useExpanded(current, records.length <= few, find !== '')
  const rows = useMemo(() => treeRows<TreeNode>(shown, isExpanded), [shown, isExpanded])
  const { starred, toggleStar } = useTreeStars()
  const open = (path: string) =>
    void navigate({ to: '/projects/$', params: { _splat: splatOf(path) }, search: keptSearch(search) })

  return (
    <section className={styles['tree']} aria-label={texts.tree} data-keys="projects">
      <header className={styles['treeHeader']}>
        <TreeTitle isPage={current === undefined} />
        <CreateProjectButton />
        <IconButton
          label={texts.hideTree}
          variant="quiet"
          className={styles['hideTree']}
          onClick={() => setIsHidden(true)}
        >
          <PanelLeftClose size={17} aria-hidden />
        </IconButton>
      </header>
      <div className={styles['treeFilter']}>
        <SearchField label={texts.filter} value={filter} onChange={setFilter} />
        <Checkbox
          label={texts.showArchived}
          checked={search.archived === true}
          onChange={archived =>
            void navigate({
              to: '.',
              search: before => ({ ...before, archived: archived || undefined }),
              replace: true,
            })
          }
        />
      </div>
      <ListStates
        query={query}
        count={rows.length}
        empty={
          find === '' ? (
            <NoProjects />
          ) : (
            <EmptyState title={texts.nothingMatches}>
              <Button onClick={() => setFilter('')}>{texts.clearFilter}</Button>
            </EmptyState>
          )
        }
      >
        <Tree
          label={texts.tree}
          rows={rows}
          current={current}
          onSelect={({ id }) => open(id)}
          onToggle={({ id }, expanded) => toggle(id, expanded)}
          onKey={({ id }, key) => {
            if (actOf('projects', key) !== 'star') return false
            toggleStar(id, !starred?.has(id))
            return true
          }}
        >
          {row => (
            <TreeRowContent
              row={row}
              isStarred={starred?.has(row.id) ?? false}
              onStar={isStarred => toggleStar(row.id, isStarred)}
            />
          )}
        </Tree>
      </ListStates>
      {query.hasNextPage && (
        <footer className={styles['treeFooter']}>
          {texts.truncated(records.length)}{' '}
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {general.loadMore}
          </Button>
        </footer>
      )}
    </section>
  )
}

/** Stars of the tree's rows; one more than there may be is refused with the reason. */
function useTreeStars() {
  const { starred, star } = useStars()
  const toast = useToast()
  const toggleStar = (path: string, isStarred: boolean) => {
    if (starred === undefined) return
    if (isStarred && starred.size >= mostStars) toast.failed(new Error(stars.tooMany(mostStars)))
    else star(path, isStarred)
  }
  return { starred, toggleStar }
}

/** Heading of the tree. In narrow windows the tree without a node is the page itself, and this its main heading. */
function TreeTitle({ isPage }: { isPage: boolean }) {
  const search = useSearch({ strict: false })
  return (
    <div className={styles['treeTitle']}>
      {isPage && <h1 className={styles['pageTitle']}>{texts.title}</h1>}
      <h2 className={isPage ? styles['paneTitle'] : ''}>
        <Link to="/projects" search={keptSearch(search)}>
          {texts.title}
        </Link>
      </h2>
    </div>
  )
}

/** What is expanded: what the user chose, else what leads to the current node, and everything in small trees. */
function useExpanded(
  current: string | undefined,
  isSmall: boolean,
  isFiltered: boolean,
): [(branch: NodeBranch) => boolean, (path: string, expanded: boolean) => void] {
  const [chosen, setChosen] = useStored<Readonly<Record<string, boolean>>>(
    'sluice.tree.expanded',
    {},
    value => typeof value === 'object' && value !== null,
  )
  // What was closed by hand opens again when a node in it is opened by a link.
  const [known, setKnown] = useState<string>()
  useEffect(() => {
    if (known === current) return
    setKnown(current)
    const closed = ancestorsOf(current).filter(path => chosen[path] === false)
    if (closed.length > 0) setChosen({ ...chosen, ...Object.fromEntries(closed.map(path => [path, true])) })
  }, [known, current, chosen, setChosen])
  const [inFilter, setInFilter] = useState<Readonly<Record<string, boolean>>>({})
  const isExpanded = useMemo(() => {
    const above = new Set(ancestorsOf(current))
    return ({ id }: NodeBranch) => (isFiltered ? (inFilter[id] ?? true) : (chosen[id] ?? (isSmall || above.has(id))))
  }, [current, chosen, inFilter, isSmall, isFiltered])
  const toggle = (path: string, expanded: boolean) =>
    isFiltered ? setInFilter({ ...inFilter, [path]: expanded }) : setChosen({ ...chosen, [path]: expanded })
  return [isExpanded, toggle]
}

function ancestorsOf(path: string | undefined): string[] {
  const parent = path && parentPathOf(path)
  return parent ? [...ancestorsOf(parent), parent] : []
}

function useMayCreateProjects(): boolean {
  const authorisations = useMe().meta?.['authorisations'] as Record<string, Record<string, boolean>> | undefined
  return authorisations?.['/projects']?.['update'] === true
}

function CreateProjectButton() {
  const navigate = useNavigate()
  const reason = useMayCreateProjects() ? undefined : general.needsRight('update', '/projects')
  return (
    <IconButton
      label={texts.createProject}
      variant="quiet"
      disabledReason={reason}
      onClick={() => void navigate({ to: '.', search: before => ({ ...before, create: 'project' }) })}
    >
      <Plus size={17} aria-hidden />
    </IconButton>
  )
}

function NoProjects() {
  if (!useMayCreateProjects()) return <EmptyState title={texts.noneReadable}>{texts.noneReadableDetail}</EmptyState>
  return (
    <EmptyState title={texts.noProjects} command={texts.noProjectsCommand}>
      {texts.noProjectsDetail}
    </EmptyState>
  )
}
