/** Texts of the tabs for properties and settings of a node. */
export const configuration = {
  notAnObject: 'The document should be an object: keys with values.',
  views: { effective: 'Effective', own: 'Own', form: 'Form', text: 'YAML', history: 'History' },
  viewsOfProperties: 'Views of the properties',
  viewsOfSettings: 'Views of the settings',

  filter: 'Filter keys, values, origins…',
  values: (shown: number, all: number) =>
    shown === all ? `${thousands(all)} values` : `${thousands(shown)} of ${thousands(all)} values`,
  effectiveTable: 'Effective values',
  columns: { key: 'Key', value: 'Value', origin: 'Origin', version: 'Version', author: 'Author', time: 'Created' },
  origins: {
    repository: 'Repository',
    project: 'Project',
    environment: 'Environment',
    template: 'Template',
    template_version: 'Template version',
    asset: 'Asset',
    agent: 'Agent',
    change: 'Change',
    global: 'Installation',
    default: 'Default',
    environment_variable: 'Environment variable of the service',
    unknown: 'Other',
  },
  version: (version: number | string) => `v${version}`,
  noProperties: 'No properties yet',
  noPropertiesDetail:
    'Properties are values that actions use. They come from the repository, from the nodes above, and from this node itself.',
  noPropertiesCommand: (path: string) => `sluice update properties ${path} data.web.port=443`,
  edit: 'Edit own properties',
  nothingMatches: 'No value matches this filter',
  clearFilter: 'Clear the filter',

  explain: (key: string) => `Origin of ${key}`,
  explainIntro: 'Layers that set this value, from the least to the most specific.',
  wins: 'in effect',
  removes: 'Removes the inherited value',
  hidden: 'You may not read this layer',
  notSet: 'No layer sets this value.',
  commit: (sha: string) => `commit ${sha.slice(0, 10)}`,
  by: (user: string) => `by ${user}`,
  valueInEffect: 'Value in effect',

  reveal: 'Reveal…',
  hide: 'Hide',
  revealTitle: 'Reveal this secret?',
  revealDetail: (reference: string) =>
    `The value of ${reference} is shown for 30 seconds. This access is recorded in the audit history with your name.`,
  revealAction: 'Reveal and record',
  secret: 'Secret',
  secondsLeft: (seconds: number) => `hidden in ${seconds} s`,
  needsSecrets: 'You need the right "execute" on the secrets of this node.',

  slider: 'Point in time',
  present: 'Now',
  backToNow: 'Back to now',
  earlier: 'Earlier version',
  later: 'Later version',
  oneStop: 'No layer has changed since the node was created.',
  created: 'Node created',
  stopChange: (type: string, name: string, version: number | string) =>
    type === 'template_assignment'
      ? `${name}: template version ${version} assigned`
      : type === 'system_configuration'
        ? `Installation v${version}`
        : `${ownerTypes[type] ?? type} ${name} v${version}`,
  past: (time: string) => `${time} · read-only`,

  language: 'Language',
  languages: { yaml: 'YAML', json: 'JSON' },
  languageNeedsDocument: 'Correct the problems first.',
  properties: 'Properties',
  settings: 'Settings',
  savedVersion: (version: number, user: string) => `Version ${version} by ${user}`,
  review: 'Review and save…',
  discard: 'Discard the changes',
  noChanges: 'Nothing has been changed.',
  readOnlyNeedsRight: (part: string, path: string) => `Read-only: you need the right "update" on ${path}/${part}.`,
  readOnlyArchived: 'Read-only: the node is archived.',
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  problemAt: (line: number, column: number | undefined) => (column === undefined ? `${line}` : `${line}:${column}`),

  reviewTitle: (version: number) => `Save as version ${version}`,
  restoreTitle: (version: number, as: number) => `Restore version ${version} as version ${as}`,
  save: (version: number) => `Save as version ${version}`,
  restore: 'Restore…',
  restoreIsCurrent: 'This is the current version.',
  saved: (version: number) => `Saved as version ${version}`,
  impactStale: 'Another version has been saved since this was opened. Saving shows it first, with the impact on it.',
  impact: 'Impact',
  affected: (counts: string) => `The values of ${counts} change.`,
  noneAffected: (examined: number) => `No effective value changes on ${count(examined, 'node')}.`,
  countOf: (type: string, number: number) => count(number, nodeWords[type] ?? type),
  partial: (examined: number) => `The first ${thousands(examined)} nodes were examined; there are more.`,
  notConverging: 'No effective values can be computed on these nodes:',
  moreNodes: (more: number) => `and ${count(more, 'more node')}`,
  moreChanges: (more: number) => `and ${count(more, 'more value')}`,
  operations: { add: 'added', remove: 'removed', replace: 'changed', move: 'moved' } as Readonly<
    Record<string, string>
  >,
  changeCounts: ({ added, changed, removed }: { added: number; changed: number; removed: number }) =>
    [
      added && `${thousands(added)} added`,
      changed && `${thousands(changed)} changed`,
      removed && `${thousands(removed)} removed`,
    ]
      .filter(Boolean)
      .join(', ') || 'no values differ',
  changes: 'Changes',

  restoreMeanwhile: (user: string, version: number) =>
    `Version ${version} was saved by ${user}. Nothing is saved yet: look at what changes from there, and save again.`,
  conflict: (user: string, version: number) => `Version ${version} was saved by ${user} while you were editing.`,
  conflictDetail:
    'Nothing is lost: see what each of you changed, combine both, and save the result as the next version.',
  changedSince: (version: number) => `Changes since version ${version}, from which both began`,
  changedByBoth: 'changed by both',
  bothChanged:
    'Values that both changed have your value in the text below. Take theirs there where it is right; all other changes of both are in it already.',
  noneInBoth: 'No value was changed by both: the text below has the changes of both.',
  notMerged:
    'Your text has problems, so the other changes could not be added to it. Correct it, or take them from the comparison.',
  theirs: (user: string, version: number) => `Version ${version} by ${user}`,
  mine: 'Your text',
  merged: 'Your text with their changes',
  compare: 'Compare',
  keepMine: 'Keep my changes',
  settingsConflictDetail:
    'Keep your changes on top of that version, or discard them. What the other user changed elsewhere is kept either way.',
  discardMine: 'Discard my text',
  leaveTitle: 'Discard unsaved changes?',
  leaveDetail: 'Your changes have not been saved.',
  leave: 'Discard and leave',
  stay: 'Keep editing',

  versions: 'Versions',
  versionsTable: 'Versions, newest first',
  current: 'current',
  afterSaving: 'after saving',
  compareWith: 'Compare with',
  versionChoice: (version: number) => `Version ${version}`,
  noDifference: 'The two versions are the same.',
  layout: 'Layout',
  layouts: { split: 'Side by side', unified: 'One text' },
  before: (version: number) => `Version ${version}`,
  emptyVersion: 'Empty document',
  changedValues: (count: number) => (count === 1 ? '1 value differs' : `${thousands(count)} values differ`),
  kinds: { added: 'added', removed: 'removed', changed: 'changed' },
  hiddenChange: 'The secret is another one; neither is shown.',
  onlyHidden: 'Only secrets differ.',

  settingsForm: 'Settings of this node',
  ungrouped: 'General',
  setHere: 'Set here…',
  unset: 'Inherit again',
  inherited: (kind: string, layer: string) =>
    kind === 'default' ? 'default' : `from ${layer || (ownerTypes[kind] ?? kind.replaceAll('_', ' '))}`,
  onlyOwn: 'Set here',
  all: 'All',
  settingsFilter: 'Filter settings…',
  nothingSet: 'No setting is set on this node',
  nothingSetDetail: 'All values are inherited. Choose "All" to set one here.',
  yes: 'Yes',
  no: 'No',
  linesHint: 'One in each line.',
  jsonHint: 'As JSON.',
  range: (minimum: number | undefined, maximum: number | undefined) =>
    minimum === undefined
      ? `At most ${maximum}`
      : maximum === undefined
        ? `At least ${minimum}`
        : `${minimum} to ${maximum}`,
  hiddenValue: 'A value is stored. Enter another one to replace it.',
} as const

const ownerTypes: Readonly<Record<string, string>> = {
  project: 'Project',
  environment: 'Environment',
  template: 'Template',
  template_version: 'Template version',
  asset: 'Asset',
  agent: 'Agent',
  global: 'the installation',
  environment_variable: "the service's environment",
}

const nodeWords: Readonly<Record<string, string>> = {
  project: 'project',
  environment: 'environment',
  asset: 'asset',
  agent: 'agent',
}

const thousands = (number: number): string => number.toLocaleString('en')
const count = (number: number, noun: string): string => `${thousands(number)} ${noun}${number === 1 ? '' : 's'}`
