/** Starred and recent nodes. */
export const stars = {
  star: (name: string) => `Star ${name}`,
  starHint: 'Star (*)',
  unstarHint: 'Remove the star (*)',
  tooMany: (most: number) => `At most ${most} nodes can be starred: remove another star first.`,
  starred: 'Starred nodes',
  starredNone: 'The star beside the name of a node keeps the node here.',
  recent: 'Recent nodes',
  recentNone: 'Nodes that you open are listed here.',
  pages: 'Pages',
  help: 'Help',
  results: 'Found',
  missing: 'It was destroyed, or you may not read it.',
  active: (count: number) => `${count} in progress`,
} as const
