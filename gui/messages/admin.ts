/** Texts of the administration: its frame and the maintenance mode. */
export const admin = {
  title: 'Administration',
  navigation: 'Parts of the administration',
  parts: {
    maintenance: ['Maintenance', 'Hold new work, and see what still has to end.'],
    jobs: [
      'Jobs',
      'Background jobs of the service itself: fetching Git remotes, preparing changes, starting schedules.',
    ],
    slots: ['Slots', 'Limits of concurrent work, the work that holds the slots, and the work that waits for one.'],
    workers: ['Processes', 'Processes of the service, and what of their background work fails.'],
    database: ['Database', 'State of the PostgreSQL database.'],
    load: ['Load', 'Users with the most database time in the last minute, at most ten of each process.'],
    settings: ['Settings', 'Settings of the whole installation. Projects and nodes can override many of them.'],
    directory: ['Directory', 'LDAP directory that users and groups come from.'],
    cleaning: ['Data cleaning', 'Rules by which old changes, workflow runs, events and jobs are deleted.'],
    keys: ['Encryption keys', 'Rotations of the keys that encrypt all secrets.'],
    'audit-trail': ['Audit trail', 'Seals of the events, and how to verify that none was changed or removed.'],
    sites: ['Sites', 'Places where work is done, with their capacity.'],
  },
} as const

/** Texts of the maintenance part. */
export const maintenance = {
  mode: 'Maintenance mode',
  current: 'current',
  modes: {
    disabled: {
      name: 'Off',
      detail: 'Work starts as usual.',
      button: 'Turn off…',
      command: 'sluice maintenance off',
      title: 'Turn maintenance mode off?',
      effects: [
        'Held changes, workflow runs and background tasks start within seconds, in the order of their creation.',
      ],
      action: 'Turn maintenance off',
      done: 'Maintenance mode is off.',
    },
    enabled: {
      name: 'On',
      detail: 'No new work starts. Work that runs continues to its end.',
      button: 'Turn on…',
      command: 'sluice maintenance on',
      title: 'Turn maintenance mode on?',
      effects: [
        'No change, workflow run or background task starts from now on, in any process and whoever created it.',
        'New ones can still be created. They stay pending and start when maintenance mode is turned off.',
        'Work that runs continues to its end, with everything that it starts.',
      ],
      action: 'Turn maintenance on',
      done: 'Maintenance mode is on.',
    },
    superuser_override: {
      name: 'On, except for superusers',
      detail: 'Only work that superusers create starts, to test a repair.',
      button: 'Turn on for others…',
      command: 'sluice maintenance on-but-superusers',
      title: 'Turn maintenance mode on, except for superusers?',
      effects: [
        'No change, workflow run or background task starts from now on, unless a superuser created it.',
        'New ones can still be created. They stay pending and start when maintenance mode is turned off.',
        'Superusers can start work at any moment, so the service may not stay drained.',
      ],
      action: 'Turn on for others',
      done: 'Maintenance mode is on, except for superusers.',
    },
  },
  inProgressNow: (counts: string) => `In progress now: ${counts}.`,
  nothingNow: 'Nothing is in progress now.',
  blockers: 'In progress',
  blockersHint:
    'Maintenance waits for these. A change that waits for a person or a time counts as in progress: decide it, wait for it, or cancel it.',
  nothing: 'Nothing is in progress',
  nothingDetail: 'Maintenance mode would not have to wait for anything.',
  drainedDetail: 'You can work on the service, its host and its database.',
  drainCommand: 'sluice drain --wait',
  noSettings: 'The service did not name the settings of the installation.',
  more: (number: number) => `Show ${number} more`,
  types: { change: 'change', workflow_run: 'workflow run', node_background_task: 'background task' },
  hidden: 'Hidden: you may not read it',
  by: (user: string) => `by ${user}`,
  goesOn: 'continues by itself',
  waits: {
    approval: (step: string, people: string) => `waits for approval${people && ` by ${people}`}${at(step)}`,
    input: (step: string) => `waits for input${at(step)}`,
    timer: (step: string) => `waits for a time${at(step)}`,
    paused: (user: string) => `paused${user && ` by ${user}`}`,
    cancel: (user: string) => `ends, cancelled${user && ` by ${user}`}`,
    slot: (pool: string) => `waits for a slot${pool && ` of the pool ${pool}`}`,
    step: (step: string) => `runs the step ${step}`,
    other: (kind: string, by: string) => `waits: ${kind.replaceAll('_', ' ')}${by && ` (${by})`}`,
  },
} as const

const at = (step: string): string => (step === '' ? '' : ` at the step ${step}`)
