/** Texts of the page that compares two nodes. */
export const comparison = {
  title: 'Compare two nodes',
  subtitle: 'Effective properties and settings that differ',
  a: 'Node A',
  b: 'Node B',
  swap: 'Swap the nodes',
  choose: 'Choose two nodes',
  chooseDetail: 'Projects, environments, assets or agents; the address of this page then has both.',
  properties: 'Properties',
  settings: 'Settings',
  kinds: { added: 'only B', removed: 'only A', changed: 'differs' },
  same: 'There is no difference.',
  compareWith: 'Compare with another node…',
} as const
