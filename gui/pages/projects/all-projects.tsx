import { Link, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Page } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { EmptyState } from '../../components/state/state.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { projects as texts } from '../../messages/projects.ts'
import styles from './all-projects.module.css'
import { splatOf } from './node.ts'
import { countsOf, type NodeBranch, nodeTree } from './node-tree.ts'
import { NodeTypeIcon } from './node-type-icon.tsx'
import { useTree } from './nodes.ts'
import { keptSearch } from './search.ts'
import { ShowTreeButton } from './show-tree-button.tsx'

/** All projects with what happens in each, beside the tree while no node is open. */
export function AllProjects() {
  const { nodes } = useTree()
  const projects = useMemo(
    () => nodeTree(nodes.records.map(({ attributes }) => attributes)).filter(isProject),
    [nodes.records],
  )
  return (
    <Page
      title={texts.allProjects}
      documentTitle={texts.title}
      above={<ShowTreeButton />}
      commands={['sluice list projects']}
      subtitle={projects.length > 0 && texts.chooseDetail}
      actions={projects.some(project => countsOf(project).agents > 0) && <Link to="/agents">{texts.allAgents}</Link>}
    >
      <ListStates
        query={nodes.query}
        count={projects.length}
        skeleton={6}
        empty={<EmptyState title={texts.choose}>{texts.chooseDetail}</EmptyState>}
      >
        <ul className={styles['cards']}>
          {projects.map(project => (
            <li key={project.id}>
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      </ListStates>
    </Page>
  )
}

const isProject = ({ item }: NodeBranch): boolean => item.node.node_type === 'project'

function ProjectCard({ project }: { project: NodeBranch }) {
  const search = useSearch({ strict: false })
  const { node } = project.item
  const { environments, assets, agents, running, waiting, failed } = countsOf(project)
  const contents = [texts.environments(environments), texts.assets(assets), agents > 0 && texts.agents(agents)]
  return (
    <Link
      to="/projects/$"
      params={{ _splat: splatOf(node.path) }}
      search={keptSearch(search)}
      className={styles['card']}
    >
      <span className={styles['name']}>
        <NodeTypeIcon type="project" size={18} />
        {node.name}
      </span>
      <span className={styles['contents']}>{contents.filter(Boolean).join(' · ')}</span>
      <span className={styles['marks']}>
        {running > 0 && <Mark status="running" text={texts.running(running)} />}
        {waiting > 0 && <Mark status="waiting" text={texts.waiting(waiting)} />}
        {failed > 0 && <Mark status="error" text={texts.failing(failed)} />}
        {running + waiting + failed === 0 && <span>{texts.quiet}</span>}
      </span>
    </Link>
  )
}

const Mark = ({ status, text }: { status: string; text: string }) => (
  <span className={styles['mark']}>
    <StatusIcon status={status} size={15} labelled />
    {text}
  </span>
)
