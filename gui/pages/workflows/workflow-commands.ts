import { listCommand } from '../../components/command/list-command.ts'
import { shellWord } from '../../components/command/words.ts'
import { runQuery } from './run-query.ts'
import type { WorkflowSearch } from './search.ts'

/** Commands that show a workflow, and what a tab of its page shows. */
export function workflowCommands(project: string, code: string, tab: WorkflowSearch['tab']): string[] {
  const path = `/projects/${project}/workflows/${code}`
  const show = `sluice show workflow ${shellWord(path)}`
  if (tab === 'runs') return [show, listCommand('activities', runQuery(project, code))]
  return [show, listCommand('workflow_versions', {}, path)]
}
