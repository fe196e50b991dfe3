import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useList } from '../../api/queries.ts'
import { Splitter } from '../../components/split-pane/splitter.tsx'
import { useStored } from '../../components/split-pane/use-stored.ts'
import { useLiveActivities } from '../../live/live-activities.ts'
import { projects as texts } from '../../messages/projects.ts'
import { CreateDialog } from './dialogs/create-dialog.tsx'
import { useLiveNodes } from './live-nodes.ts'
import { nodesPath, nodesQuery, TreeContext } from './nodes.ts'
import styles from './projects-page.module.css'
import { TreePane } from './tree-pane.tsx'

const narrowest = 220
const widest = 560

/**
 * Tree of nodes on the left, a node on the right. In narrow windows the tree and the node are views of their own: the
 * tree at `/projects`, the node at its path.
 */
export function ProjectsPage() {
  const { archived, create } = useSearch({ from: '/projects' })
  const navigate = useNavigate()
  const { _splat: splat } = useParams({ strict: false })
  const nodes = useList<'node_summary'>(nodesPath, nodesQuery(archived === true))
  useLiveActivities()
  useLiveNodes(nodes.query.isFetching)
  const [width, setWidth] = useStored('sluice.tree.width', 320, value => Number.isInteger(value))
  const [isHidden, setIsHidden] = useStored('sluice.tree.hidden', false, value => typeof value === 'boolean')

  return (
    <TreeContext value={{ nodes, isHidden, setIsHidden }}>
      <div
        className={styles['layout']}
        data-tree={isHidden ? 'hidden' : 'shown'}
        data-view={splat === undefined ? 'tree' : 'node'}
        style={{ '--tree': `${width}px` } as CSSProperties}
      >
        <TreePane current={splat === undefined ? undefined : `/projects/${splat}`} />
        <div className={styles['splitter']}>
          <Splitter label={texts.resizeTree} value={width} minimum={narrowest} maximum={widest} onChange={setWidth} />
        </div>
        <div className={styles['node']}>
          <Outlet />
        </div>
      </div>
      {create !== undefined && (create === 'project' || splat !== undefined) && (
        <CreateDialog
          type={create}
          {...(create !== 'project' && { parent: `/projects/${splat}` })}
          onClose={() =>
            void navigate({ to: '.', search: before => ({ ...before, create: undefined }), replace: true })
          }
        />
      )}
    </TreeContext>
  )
}
