import { apiCommand } from '../../components/command/api-command.ts'
import { listCommand } from '../../components/command/list-command.ts'
import { shellWord } from '../../components/command/words.ts'
import { collectionOf, type NodeRecord, nodePath, nodeType } from './node.ts'

/** Commands that show a node, and what a tab of its page shows. */
export function nodeCommands(node: NodeRecord, tab: string | undefined): string[] {
  const path = nodePath(node)
  const show = (type: string) => `sluice show ${type} ${shellWord(path)}`
  const below = (type: string) => listCommand(type, { 'filter[under]': path })
  const ofTabs: Readonly<Record<string, () => string>> = {
    properties: () => show('properties'),
    settings: () => show('settings'),
    activities: () => below('activities'),
    schedules: () => below('scheduled_changes'),
    remotes: () => listCommand('git_remotes', {}, path),
    bookmarks: () => listCommand('bookmarks', {}, path),
    access: () => apiCommand('/api/access_summary', { node_path: path }),
  }
  const ofTab = tab === undefined ? undefined : ofTabs[tab]
  return [show(collectionOf[nodeType(node)]), ...(ofTab ? [ofTab()] : [])]
}
