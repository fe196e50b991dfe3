import { Link } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import type { NodeSummary, Resource } from '../../api/records.ts'
import { ListTable } from '../../components/list/list-table.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { nodeCode } from '../../components/node-path/nodes-in-path.ts'
import { EmptyState } from '../../components/state/state.tsx'
import { StatusBadge } from '../../components/status/status.tsx'
import { type Column, type FewColumns, rowLink } from '../../components/table/table.tsx'
import { general } from '../../messages/general.ts'
import { templates as texts } from '../../messages/templates.ts'
import { nodesOfTemplate } from './nodes-of-template.ts'

/** Nodes that use a template, with their versions and their last activity. */
export function TemplateNodes({ project, code }: { project: string; code: string }) {
  const list = useList<'node_summary'>('/api/nodes', nodesOfTemplate(project, code))
  return (
    <ListTable
      list={list}
      label={texts.tabs.nodes}
      columns={columns}
      narrowLines={2}
      skeleton={6}
      empty={<EmptyState title={texts.noNodes}>{texts.noNodesDetail}</EmptyState>}
    />
  )
}

const columns: FewColumns<Column<Resource<NodeSummary>>> = [
  {
    id: 'node',
    title: texts.nodeColumns.node,
    width: 'minmax(200px, 2fr)',
    narrow: 'minmax(0, 1fr)',
    cell: ({ attributes: { path } }) => (
      <>
        <Link to="/projects/$" params={{ _splat: path.replace('/projects/', '') }} className={rowLink}>
          {nodeCode(path)}
        </Link>{' '}
        <NodePath path={path} />
      </>
    ),
  },
  {
    id: 'version',
    title: texts.nodeColumns.version,
    width: '120px',
    narrow: '80px',
    cell: ({ attributes }) => attributes.template_version ?? general.none,
  },
  {
    id: 'last',
    title: texts.nodeColumns.last,
    width: '190px',
    cell: ({ attributes: { last_status: status } }) => (status ? <StatusBadge status={status} /> : general.none),
  },
]
