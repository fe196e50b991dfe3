/** Texts of the parts of the administration on keys, the audit trail and the directory. */
export const keys = {
  rotations: 'Key rotations',
  start: 'Rotate keys…',
  inProgress: 'A rotation is in progress. The next one can start when it has ended.',
  none: 'The keys have not been rotated yet',
  noneDetail: 'A rotation replaces the key that encrypts all secrets, while the service runs.',
  command: 'sluice keys rotate',
  title: 'Rotate the encryption keys?',
  effects: [
    'A new data key is created, and every process starts to encrypt with it.',
    'Everything that earlier keys encrypt is encrypted again in the background. This can take hours.',
    'The service stays available. A rotation cannot be cancelled.',
  ],
  root: 'Replace the root key as well',
  rootHint:
    'Every process must have been given the next root key: root.key.next beside root.key, or SLUICE_NEXT_ROOT_KEY. Back it up first.',
  action: 'Rotate keys',
  started: 'The rotation has started.',
  dataKey: (number: number, withRoot: boolean) => `Data key ${number}${withRoot ? ' and the next root key' : ''}`,
  stages: {
    announced: 'announced: waiting until every process knows the new key',
    switching: 'switching: waiting until every process encrypts with it',
    resealing: 'encrypting existing records again',
    success: 'complete',
  },
  step: (number: number) => `Step ${number} of 3`,
  resealed: (number: string) => `${number} records encrypted again`,
  waitsFor: (what: string) => `waits for ${what}`,
  by: (user: string) => `by ${user}`,
} as const

export const trail = {
  head: 'Sealed events',
  sealedUpTo: 'Sealed up to',
  seal: (number: string) => `seal ${number}`,
  nothingSealed: 'no event is sealed yet',
  sealedUpToAbout:
    'Each event is sealed within seconds: it gets the next number and a hash over itself and all earlier events.',
  lastEvent: 'Last sealed event',
  lastEventAbout: 'Time of the event that carries the last seal.',
  hash: 'Head of the chain',
  hashAbout: 'Number and hash of the last seal. Keep it daily where administrators of the database cannot change it.',
  copy: 'Copy the head of the chain',
  copied: 'The head of the chain was copied.',
  unsealed: 'Events without a seal',
  unsealedAbout: 'Events that were inserted into the database without the service. The service itself leaves none.',
  check: 'Look for them',
  checking: (events: string) => `Looking: ${events} found so far…`,
  noneUnsealed: 'none',
  someUnsealed: (number: string) => `${number} found`,
  verify: 'Verify the trail',
  verifyDetail:
    'All hashes are computed where the command runs, so that nobody has to trust the service. It also finds changed and missing events.',
  commands: [
    ['Verify the trail of this service', 'sluice audit verify'],
    ['Record the head of the chain', 'sluice audit head'],
    [
      'Export the trail, and verify the export without the service',
      'sluice audit export > trail.ndjson\nsluice audit verify trail.ndjson',
    ],
  ],
} as const

export const directory = {
  settings: 'Directory',
  none: 'No directory is configured',
  noneDetail: 'Users and groups come from an LDAP directory once its host is set in the settings of the installation.',
  noneCommand: 'sluice update settings /system_configuration --data directory.yaml',
  rows: {
    'ldap.host': 'Host',
    'ldap.port': 'Port',
    'ldap.tls': 'Transport security',
    'ldap.base_dn': 'Base DN',
    'ldap.user_base': 'Base of users',
    'ldap.group_base': 'Base of groups',
    'ldap.bind_dn': 'Account for searches',
    'ldap.refresh_interval': 'Refreshed every',
  },
  standard: {
    'ldap.port': '389, with ldaps 636',
    'ldap.tls': 'starttls',
    'ldap.user_base': 'the base DN',
    'ldap.group_base': 'the base DN',
    'ldap.bind_dn': 'anonymous',
  },
  refresh: 'Refresh now',
  onlySuperusers: 'Only a superuser may refresh the directory.',
  noHost: 'No directory is configured.',
  requested: 'The refresh was requested. Its result appears below.',
  refreshes: 'Last refreshes',
  noRefreshes: 'No refresh yet.',
  events: {
    user_start: 'reading users',
    group_start: 'reading groups',
    success: 'ended',
    warn: 'ended with a warning',
    error: 'failed',
  },
  counts: (users: number, groups: number) =>
    `${users.toLocaleString('en')} ${users === 1 ? 'user' : 'users'}, ${groups.toLocaleString('en')} ${groups === 1 ? 'group' : 'groups'}`,
  command: 'sluice ldap refresh --wait',
} as const
