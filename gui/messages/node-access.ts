/** Texts of the tab that says who may do what on a node, and of the tree of rules. */
export const nodeAccess = {
  people: 'People',
  peopleDetail: 'With the rights that all of their rules together give here. A name leads to the explanation.',
  morePeople: (count: number) => `The first ${count.toLocaleString('en')} people are shown; there are more.`,
  noPeople: 'No rule reaches anybody here.',
  peopleLabel: 'Rights of people',
  user: 'User',
  viaGroup: 'by a policy that you may not read',
  superuser: 'superuser',
  blocked: 'blocked',
  assignments: 'Assigned to',
  assignmentsDetail: 'Users, groups and everyone who have the policies of these rules.',
  noAssignments: 'None of the policies that you may read is assigned.',
  rules: 'Rules',
  rulesLabel: 'Rules that cover this node',
  rulesDetail:
    'Rules whose path covers this node or its actions, the shortest path first. For each right of a user, the rule with the longest path decides.',
  noRules: 'No rule that you may read covers this node.',
  hiddenRules: (count: number) =>
    count === 1
      ? 'One more rule decides here that you may not read.'
      : `${count} more rules decide here that you may not read.`,
  moreRules: (count: number) =>
    `More than ${count.toLocaleString('en')} rules cover this node: the rights of people are not computed.`,
  allows: 'allows',
  denies: 'denies',
  saysNothing: 'says nothing',
  forbidden: 'You may not see who has access',

  byPath: 'Rules by path',
  findPath: 'Path contains…',
  count: (rules: number) => (rules === 1 ? '1 rule' : `${rules.toLocaleString('en')} rules`),
  noRulesAtAll: 'There are no rules that you may read',
  openAccess: (path: string) => `Who may do what on ${path}`,
} as const
