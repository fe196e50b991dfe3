export const activities = {
  title: 'Activities',
  subtitle: 'Changes and workflow runs',
  tableLabel: 'Activities',
  pathFilter: 'Path contains…',
  mine: 'Mine',
  active: 'In progress',
  waitingForMe: 'Waiting for me',
  columns: {
    status: 'Status',
    action: 'Action',
    target: 'Target',
    user: 'User',
    created: 'Created',
    duration: 'Duration',
    started: 'Started',
    finished: 'Finished',
    updated: 'Updated',
    error: 'Error',
  },
  workflowRun: 'workflow',
  scheduled: 'scheduled',
  emptyTitle: 'No activities yet',
  emptyDetail:
    'A change runs an action on a node. Open a node in Projects and run one of its actions, or use the command line:',
  emptyCommand: 'sluice changes create /projects/PROJECT/environments/ENVIRONMENT/assets/ASSET ACTION --show-steps',
  nothingMatches: 'No activity matches these filters',
  clearFilters: 'Clear the filters',
  moreStatuses: 'More statuses',
  fewerStatuses: 'Fewer statuses',
  moreFilters: (count: number) => (count === 0 ? 'More filters' : `More filters (${count})`),
  noun: ['activity', 'activities'],
  fields: {
    path: 'Path contains',
    name: 'Action or workflow',
    by: 'User',
    under: 'Node and below',
    underHint: '/projects/…',
    metadata: 'Metadata',
    metadataHint: 'ticket=CHG-1',
    from: 'Created from',
    to: 'Created to',
  },
  zone: (zone: string) => `Times in ${zone}`,
} as const

const activitiesOf = (count: number): string => `${count} ${count === 1 ? 'activity' : 'activities'}`
const ofSelected = (verb: string) => (count: number, of: number) =>
  count === of || count === 0 ? verb : `${verb} ${count} of ${of}`

/** Actions on several activities. */
export const bulk = {
  label: 'Selected activities',
  selected: (count: number) => `${count} selected`,
  clear: 'Clear the selection',
  actions: { pause: ofSelected('Pause'), resume: ofSelected('Resume'), cancel: ofSelected('Cancel…') },
  none: {
    pause: 'None of the selected activities can be paused by you now.',
    resume: 'None of the selected activities can be resumed by you now.',
    cancel: 'None of the selected activities can be cancelled by you now.',
  },
  titles: {
    pause: (count: number) => `Pause ${activitiesOf(count)}`,
    resume: (count: number) => `Resume ${activitiesOf(count)}`,
    cancel: (count: number) => `Cancel ${activitiesOf(count)}`,
  },
  confirm: {
    pause: '',
    resume: '',
    cancel: 'Running steps are ended and nothing further starts. This cannot be undone.',
  },
  busy: (count: number) => `${count} under way…`,
  stillBusy: 'Requests are still under way.',
  summary: (done: number, refused: number, impossible: number) =>
    [`${done} done`, refused > 0 && `${refused} refused`, impossible > 0 && `${impossible} not possible`]
      .filter(Boolean)
      .join(', '),
  waiting: 'under way',
  done: { pause: 'paused', resume: 'resumed', cancel: 'cancelled' },
  refused: (reason: string) => `refused: ${reason}`,
  impossible: {
    pause: (status: string) => `You cannot pause it now; its status is ${status}.`,
    resume: (status: string) => `You cannot resume it now; its status is ${status}.`,
    cancel: (status: string) => `You cannot cancel it now; its status is ${status}.`,
  },
} as const
