import { listCommand } from '../../components/command/list-command.ts'
import { shellWord } from '../../components/command/words.ts'
import { nodesOfTemplate } from './nodes-of-template.ts'
import type { TemplateSearch } from './search.ts'

/** Commands that show a template, and what a tab of its page shows. */
export function templateCommands(project: string, code: string, tab: TemplateSearch['tab']): string[] {
  const path = `/projects/${project}/templates/${code}`
  return [
    `sluice show template ${shellWord(path)}`,
    tab === 'nodes'
      ? listCommand('node_summaries', nodesOfTemplate(project, code))
      : listCommand('template_versions', { 'filter[sorts]': 'created_at desc' }, path),
  ]
}

/** Command that shows a version. */
export const versionCommands = (project: string, code: string, version: string): string[] => [
  `sluice show template_version ${project} ${code} ${shellWord(version)}`,
]
