/**
 * Who may import whom. Folders of one group may import each other's front doors; each group may import the groups before
 * it, and none after it. Read as: nodes, users, events, secrets and mail know nothing of what follows, maintenance knows all.
 */
const groups = [
  ['nodes', 'users', 'events', 'secrets', 'mail'],
  ['git', 'access', 'settings', 'directory'],
  ['logs'],
  ['properties', 'runners'],
  ['node-tasks', 'action-catalogue'],
  ['templates'],
  ['models', 'steps'],
  ['changes', 'agents'],
  ['step-execution'],
  ['workflows'],
  ['workflow-runs'],
  ['schedules', 'notifications'],
  ['overview'],
  ['maintenance', 'data-cleaning'],
]

const folders = names => `^src/domain/(${names.join('|')})/`

/** Nothing of a group may reach into a later group. */
const downwards = groups.slice(0, -1).map((group, i) => ({
  name: `calls-down-${group[0]}`,
  severity: 'error',
  comment: 'A domain folder imports only folders to its left; news goes up as a job row in the same transaction.',
  from: { path: folders(group) },
  to: { path: folders(groups.slice(i + 1).flat()) },
}))

const tests = '\\.test\\.ts$'

/** Files that are a front door or have a suffix. */
const withKind = ['/(index|for-[^/]+)\\.ts$', '/[^/.]+\\.[^/]+\\.ts$']

/** Modules of Node that reach outside of the process. */
const io = [
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'fs',
  'http',
  'http2',
  'https',
  'net',
  'readline',
  'stream',
  'tls',
  'worker_threads',
]

/** Kinds of file that hold SQL. */
const holdsSql = '(/index|\\.(store|sql|resource|views?|live))\\.ts$'

/** Files of the platform that work on values alone, which authoring may use. */
const pure =
  '^src/platform/(display-name|documents/document|failure|folded-name|jsonapi/(json|named-twice|times)|nearest-name|stored-text|time-zone)\\.ts$'

module.exports = {
  forbidden: [
    ...downwards,
    {
      name: 'through-the-front-door',
      severity: 'error',
      comment: 'Another domain folder is reached through its index.ts; stores and commands stay home.',
      from: { path: '^src/domain/([^/]+)/', pathNot: tests },
      to: { path: '^src/domain/', pathNot: ['^src/domain/$1/', '^src/domain/[^/]+/(index|for-[^/]+)\\.ts$'] },
    },
    {
      name: 'side-doors-are-for-one',
      severity: 'error',
      comment: 'The engine has a door of its own for each room that works with its insides: for-<room>.ts.',
      from: { path: '^src/domain/([^/]+)/', pathNot: tests },
      to: { path: '^src/domain/[^/]+/for-[^/]+\\.ts$', pathNot: ['^src/domain/$1/', '/for-$1\\.ts$'] },
    },
    {
      name: 'known-domain-folders',
      severity: 'error',
      comment: 'A new domain folder gets its place in the list at the top of .dependency-cruiser.cjs.',
      from: {},
      to: { path: '^src/domain/[^/]+/', pathNot: folders(groups.flat()) },
    },
    {
      name: 'platform-knows-no-noun',
      severity: 'error',
      comment: 'The platform is used by the domains and knows none of them.',
      from: { path: '^src/platform/', pathNot: tests },
      to: { path: '^(src/(domain|main)|runner|cli|gui|client)/' },
    },
    {
      name: 'nothing-imports-main',
      severity: 'error',
      comment: 'main wires everything and is imported by nothing.',
      from: { path: '^(src|runner|actions|client|cli|gui)/', pathNot: ['^src/main/', tests] },
      to: { path: '^src/main/' },
    },
    {
      name: 'runner-shares-the-protocol-only',
      severity: 'error',
      comment:
        'A runner is a program of its own: it shares with the service what they say to each other, nothing else.',
      from: { path: '^runner/', pathNot: tests },
      to: { path: '^src/' },
    },
    {
      name: 'executors-have-no-src',
      severity: 'error',
      comment:
        'Programs beneath the supervisor are laid out without src/: types alone may come from there, or every step hangs.',
      from: { path: '^runner/', pathNot: ['^runner/supervisor(\\.ts$|/)', tests] },
      to: { path: '^protocol/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'json-stands-alone',
      severity: 'error',
      comment:
        'Service, runner, actions and clients read JSON by the same functions, which bring nothing of any of them along.',
      from: { path: '^json/', pathNot: tests },
      to: { path: '^(src|authoring|protocol|runner|actions|client|cli|gui|audit)/' },
    },
    {
      name: 'authoring-is-pure',
      severity: 'error',
      comment: 'Readers of what users write serve the service, the command line and a browser: values in, values out.',
      from: { path: '^authoring/', pathNot: tests },
      to: { path: '^(src|runner|actions|client|cli|gui|audit)/', pathNot: pure },
    },
    {
      name: 'authoring-runs-anywhere',
      severity: 'error',
      comment: 'A browser has none of the modules of Node.',
      from: { path: ['^authoring/', pure], pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'protocol-stands-alone',
      severity: 'error',
      comment: 'Service and runner share what they say to each other, and nothing of either.',
      from: { path: '^protocol/', pathNot: tests },
      to: { path: '^(src|authoring|runner|actions|client|cli|gui|audit)/' },
    },
    {
      name: 'proof-stands-alone',
      severity: 'error',
      comment: 'The audit trail is proved by what whoever proves it can read in one sitting.',
      from: { path: '^audit/', pathNot: tests },
      to: { path: '^(src|runner|actions|client|cli|gui)/' },
    },
    {
      name: 'clients-use-the-api',
      severity: 'error',
      comment: 'Client, command line, screens and examples reach the service through its API.',
      from: { path: '^(client|cli|gui|actions|examples)/', pathNot: tests },
      to: { path: '^(src|runner)/' },
    },
    {
      name: 'rules-do-no-io',
      severity: 'error',
      comment: 'Lifecycle tables take values and return values.',
      from: { path: '\\.lifecycle\\.ts$' },
      to: { path: '(\\.(store|adapter|commands|jobs)\\.ts$)|^(node:)?(fs|net|http|child_process)' },
    },
    {
      name: 'bare-files-know-no-database',
      severity: 'error',
      comment:
        'A file without suffix holds types and rules: values in, values out. What takes a transaction is named .tx.ts.',
      from: { path: '^src/domain/', pathNot: withKind },
      to: { path: '^src/platform/db/' },
    },
    {
      name: 'bare-files-do-no-io',
      severity: 'error',
      comment: 'A file without suffix holds types and rules; what talks to the outside is named .adapter.ts.',
      // Of node:net it takes isIP, a function of a text.
      from: { path: '^src/domain/', pathNot: [...withKind, '/settings/ldap-values\\.ts$'] },
      to: { path: `^(node:)?(${io.join('|')})(/|$)`, dependencyTypes: ['core'] },
    },
    {
      name: 'bare-files-call-no-store',
      severity: 'error',
      comment: 'Rules are given what they decide on; the types of what a store finds they may name.',
      from: { path: '^src/domain/', pathNot: withKind },
      to: {
        path: '^src/domain/.*\\.(adapter|commands|jobs|live|resource|store|task|tx|views?)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'known-kinds',
      severity: 'error',
      comment: 'The suffix of a file of the domain is one of those that ARCHITECTURE.md lists.',
      from: {},
      to: {
        path: '^src/domain/.*/[^/.]+\\.[^/]+\\.ts$',
        pathNot: '\\.(adapter|commands|jobs|lifecycle|live|port|resource|sql|store|task|tx|views?)\\.ts$',
      },
    },
    {
      name: 'ports-are-types',
      severity: 'error',
      comment: 'A port says what a domain needs of others; it does nothing.',
      from: { path: '^src/domain/.*\\.port\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'fragments-run-nothing',
      severity: 'error',
      comment: 'Fragments of SQL are values; what runs a statement is named .store.ts.',
      from: { path: '^src/domain/.*\\.sql\\.ts$' },
      to: { path: '^src/platform/db/', pathNot: '^src/platform/db/sql\\.ts$' },
    },
    {
      name: 'sql-stands-in-stores',
      severity: 'error',
      comment: 'Commands, jobs and what works in a transaction call stores; types of fragments may be named anywhere.',
      from: { path: '^src/domain/', pathNot: [holdsSql, tests] },
      to: { path: '^src/platform/db/sql\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-support-in-the-product',
      severity: 'error',
      comment: 'What helps tests is in tests/.',
      from: { path: '^(src|runner|actions|client|cli|gui)/', pathNot: [tests, '^gui/tests/'] },
      to: { path: '^tests/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other, types included, are one subject, or hide a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-drawers',
      severity: 'error',
      comment: 'A file or folder is named after the thing it is about.',
      from: {},
      to: { path: '/(utils?|helpers?|common|shared|types|interfaces)(/|[.]ts$)', pathNot: 'node_modules' },
    },
    {
      name: 'imports-are-found',
      severity: 'error',
      comment: 'Examples and the peers of a benchmark have packages of their own.',
      from: { pathNot: '^(examples|bench/peers)/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'production-packages-only',
      severity: 'error',
      comment: 'What runs in production does not need the packages of development.',
      from: { path: '^(src|runner)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    // TypeScript 7 has no programming interface, so swc reads the sources.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(node_modules|data|\\.local)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
