/** Texts of the parts of the administration that watch the operation of the service. */
export const jobs = {
  label: 'Background jobs',
  filter: 'Status of the jobs',
  noun: ['job', 'jobs'],
  all: 'All',
  statuses: { pending: 'pending', running: 'running', success: 'success', error: 'failed' },
  none: 'No background job',
  noneDetail: 'Successful jobs are listed for one day, failed ones for 30 days.',
  noneMatches: 'No job has this status',
  columns: {
    status: 'Status',
    job: 'Job',
    queue: 'Queue',
    node: 'Node',
    attempts: 'Attempts',
    time: 'Time',
  },
  about: {
    queue: 'Jobs of one queue run one after another; those of "default" run as they come.',
    attempts: 'Attempts so far of the maximum. After the last one the job has failed for good.',
    time: 'When the job ended, began, or will be run. After a failure this is the time of the next attempt.',
  },
  attempts: (attempts: number, maximum: number) => `${attempts} of ${maximum}`,
  title: (name: string) => `Job ${name}`,
  error: 'Error of the last attempt',
  created: 'Queued',
  runAt: 'Runs at',
  started: 'Started',
  finished: 'Ended',
  gone: 'The job has been removed from the list.',
} as const

export const slots = {
  none: 'No slot pool yet',
  noneDetail: 'A pool appears with the first work that needs a slot.',
  title: (pool: string, site: string) => `${pool} · ${site}`,
  pools: {
    runner: 'Runners',
    actions_refresh: 'Refreshes of actions',
    model: 'Models',
    agent: 'Agents',
    image_build: 'Image builds',
  },
  used: (claimed: number, limit: number) => `${claimed} of ${limit} in use`,
  over: 'More than the limit are in use: it was lowered, and the slots above it end with their work.',
  waiting: (number: number) => `${number} waiting`,
  about: {
    used: 'Slots in use of the limit, which is a setting of the installation.',
    waiting: 'Changes, workflow runs and background tasks that wait for a slot of this pool, for any reason.',
  },
  showWaiting: 'Show the queue',
  holders: 'Holders',
  slot: (number: number) => `Slot ${number}`,
  holderTypes: { activity: 'activity', step: 'step', task: 'background task', agent: 'agent' },
  hidden: 'Hidden: you may not read it',
} as const

export const workers = {
  label: 'Processes of the service',
  columns: {
    process: 'Process',
    role: 'Role',
    site: 'Site',
    release: 'Release',
    schema: 'Schema',
    started: 'Started',
    heartbeat: 'Heartbeat',
    loops: 'Background work',
  },
  about: {
    process: 'Host and process id.',
    role: 'api answers requests, worker carries out the work, all does both.',
    schema: 'Newest database migration that the process knows. During an upgrade it tells two releases apart.',
    heartbeat: 'Every process reports every few seconds. Without a report for 30 seconds it counts as ended.',
    loops: 'Background work that failed when it last ran; it is tried again all the time.',
  },
  silent: 'silent',
  fine: 'works',
  failing: (loop: string, failures: number) =>
    `${loop}: failed ${failures === 1 ? 'once' : `${failures} times in a row`}`,
  failingFor: (time: string) => `for ${time}`,
} as const

export const database = {
  label: 'Database',
  rows: {
    version: ['PostgreSQL', 'Version of the database server.'],
    bytes: ['Size', 'Space that this database takes on disk.'],
    connections: ['Connections', 'Open connections to this database, and the maximum of the whole server.'],
    oldest: [
      'Oldest transaction',
      'How long the oldest transaction has been open. While it is open, no dead row can be removed.',
    ],
    migration: ['Newest migration', 'Last change of the schema that was carried out.'],
    recovery: ['Role', 'Whether this server is a primary or a replica.'],
  },
  connections: (number: number, maximum: number) => `${number} of ${maximum} at most`,
  noTransaction: 'no other transaction is open',
  primary: 'primary',
  replica: 'replica',
} as const

export const load = {
  label: 'Database time of users',
  none: 'Nobody used the database in the last minute',
  noneDetail: 'Each process reports its busiest users every few seconds.',
  columns: { user: 'User', process: 'Process', seconds: 'Database time', lane: 'Service' },
  about: {
    user: 'Requests of the user, or of steps that the user started.',
    process: 'Process that answered the requests.',
    seconds: 'Time that the database spent on these requests in the minute before.',
    lane: 'A user who takes too much is served slowly: one request at a time, after those of others.',
  },
  ofSteps: 'from steps',
  deleted: 'deleted user',
  slow: 'slowed down',
  normal: 'normal',
} as const

export const sites = {
  label: 'Sites',
  columns: { code: 'Site', processes: 'Processes', runners: 'Runners', since: 'First seen' },
  about: {
    processes: 'Service processes that serve this site now.',
    runners: 'Runners that carry out steps at this site now.',
    since: 'When a process first served this site.',
  },
  none: 'No site yet',
} as const
