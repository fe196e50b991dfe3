import { nearestTo } from '#platform/nearest-name.ts'
import { mainSite, type Site } from '#platform/site.ts'
import type { SmtpServer } from '../domain/mail/index.ts'
import { type Variable, type VariableName, variables, Wrong } from './variables.ts'

export type Config = {
  /** URLs of an external database, both or neither: without them the embedded database is used. */
  databaseUrl: string | undefined
  databaseDirectUrl: string | undefined
  host: string
  port: number
  dataDir: string
  adminPassword: string | undefined
  role: 'all' | 'api' | 'worker'
  /** The site that this process belongs to. */
  site: Site
  gitProtocols: ('https' | 'http' | 'ssh' | 'git' | 'file')[]
  /** Networks of private addresses that the service may reach over http. */
  privateAddresses: readonly string[]
  /** Reverse proxies that are trusted to report where a request comes from: addresses and networks. */
  trustedProxies: readonly string[]
  /** Certificates (PEM) of authorities beyond those that Node knows. */
  authorities: string | undefined
  /** Mail server and sender, both or neither: without them no mail is sent. */
  smtpServer: SmtpServer | undefined
  mailFrom: string | undefined
  runnerUser: string | undefined
  /** Maximum number of requests that one user may send per minute; undefined: unlimited. */
  rateLimit: number | undefined
  /** Protection of /metrics: an undefined criterion is not checked; with neither, all requests are refused. */
  metricsToken: string | undefined
  metricsAddresses: readonly string[] | undefined
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  rootKey: Buffer | undefined
  /** Root key that is to replace the current one. */
  nextRootKey: Buffer | undefined
  /** Overrides from SERVICE_OVERRIDE_<NAME>: <NAME> as spelled in the environment, with the value as text. */
  settingOverrides: Record<string, string>
  /** Environment passed on to the programs that Sluice starts for itself (git): the search path, and proxies. */
  passedOn: Record<string, string>
  /** Command-line option `--demo`; the members after it are options too. */
  demo: boolean
  exit: boolean
  /** Whether running actions end with the service. */
  stopRunners: boolean
  /** The user who gets a new password; the service is then not started. */
  resetPassword: string | undefined
  help: boolean
}

/** Flags of `bin/start`, with their description in `--help`. */
const flags = {
  '--demo': 'load the example organisation and run a change on it, then stay',
  '--exit': 'with --demo: stop once the demo has ended, with its exit code',
  '--stop-runners': 'end running actions when Sluice is stopped, instead of leaving them to the next start',
  '--keep': 'leave running actions running when Sluice is stopped, which is what happens anyway',
  '--reset-password [USER]': 'give a user (admin) a new password, shown once, also while Sluice runs; then exit',
  '--help': 'show this',
} as const

/**
 * Reads the whole configuration, or reports all of its errors at once, one per line. Pure: `start.ts` passes in the
 * process's environment, and nothing else reads it.
 */
export function readConfig(
  env: Record<string, string | undefined>,
  argv: readonly string[],
): { config: Config } | { errors: string[] } {
  const errors: string[] = []
  const read = <K extends VariableName>(name: K) => readVariable(name, env[name], errors) as Value<K>
  const config: Config = {
    databaseUrl: read('SLUICE_DATABASE_URL'),
    databaseDirectUrl: read('SLUICE_DATABASE_DIRECT_URL'),
    host: read('SLUICE_HOST')!,
    port: read('SLUICE_PORT')!,
    dataDir: read('SLUICE_DATA_DIR')!,
    adminPassword: read('SLUICE_ADMIN_PASSWORD'),
    role: read('SLUICE_ROLE')!,
    site: mainSite,
    gitProtocols: read('SLUICE_GIT_PROTOCOLS')!,
    privateAddresses: read('SLUICE_PRIVATE_ADDRESSES') ?? [],
    trustedProxies: read('SLUICE_TRUSTED_PROXIES') ?? [],
    authorities: read('SLUICE_CA_FILE'),
    smtpServer: read('SLUICE_SMTP_URL'),
    mailFrom: read('SLUICE_MAIL_FROM'),
    runnerUser: read('SLUICE_RUNNER_USER'),
    rateLimit: read('SLUICE_RATE_LIMIT'),
    metricsToken: read('SLUICE_METRICS_TOKEN'),
    metricsAddresses: read('SLUICE_METRICS_ADDRESSES'),
    logLevel: read('SLUICE_LOG_LEVEL')!,
    rootKey: read('SLUICE_ROOT_KEY'),
    nextRootKey: read('SLUICE_NEXT_ROOT_KEY'),
    settingOverrides: settingOverrides(env),
    passedOn: passedOn(env),
    demo: argv.includes('--demo'),
    exit: argv.includes('--exit'),
    stopRunners: argv.includes('--stop-runners'),
    resetPassword: resetPasswordOf(argv),
    help: argv.includes('--help'),
  }
  errors.push(...unknownVariables(env), ...unknownFlags(argv), ...wrongTogether(config, env, argv))
  return errors.length > 0 ? { errors } : { config }
}

type Value<K extends VariableName> = Exclude<ReturnType<(typeof variables)[K]['read']>, Wrong> | undefined

/** Reads one variable. An empty value counts as not set: compose files and systemd units write it so. */
function readVariable(name: VariableName, given: string | undefined, errors: string[]): unknown {
  const variable: Variable<unknown> = variables[name]
  const text = given || variable.default
  if (text === undefined) return undefined
  const value = variable.read(text)
  if (!(value instanceof Wrong)) return value
  errors.push(`${name}${variable.secret ? '' : ` is "${text}" and`} should be ${value.shouldBe}`)
  return undefined
}

const overridePrefix = 'SERVICE_OVERRIDE_'

const passed = /^(?:PATH|(?:https?|all|no)_proxy)$/i

const passedOn = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => passed.test(entry[0]) && entry[1] !== undefined),
  )

function settingOverrides(env: Record<string, string | undefined>): Record<string, string> {
  const given = Object.entries(env).filter(([name]) => name.startsWith(overridePrefix))
  return Object.fromEntries(given.map(([name, value]) => [name.slice(overridePrefix.length), value ?? '']))
}

/**
 * Errors for unknown variables: a misspelt one would silently leave a default in force. SLUICE_TEST_… belongs to the
 * tests.
 */
function unknownVariables(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(variables)
  return Object.keys(env)
    .filter(name => name.startsWith('SLUICE_') && !name.startsWith('SLUICE_TEST_') && !known.includes(name))
    .map(name => unknown(name, known))
}

const resetFlag = '--reset-password'

/** `--reset-password`, `--reset-password ann`, `--reset-password=ann` */
function resetPasswordOf(argv: readonly string[]): string | undefined {
  const at = argv.findIndex(arg => arg === resetFlag || arg.startsWith(`${resetFlag}=`))
  if (at < 0) return undefined
  const [, given] = argv[at]!.split('=')
  const next = argv[at + 1]
  return given || (next && !next.startsWith('-') ? next : undefined) || 'admin'
}

function unknownFlags(argv: readonly string[]): string[] {
  const known = Object.keys(flags).map(flag => flag.split(' ')[0]!)
  const isUser = (at: number) => argv[at - 1] === resetFlag && !argv[at]!.startsWith('-')
  return argv
    .filter((arg, at) => !known.includes(arg) && !arg.startsWith(`${resetFlag}=`) && !isUser(at))
    .map(arg => unknown(arg, known))
}

function unknown(name: string, known: readonly string[]): string {
  const nearest = nearestTo(name, known)
  return `${name} is not known; ${nearest ? `did you mean ${nearest}?` : 'bin/start --help names all that is'}`
}

function wrongTogether(config: Config, env: Record<string, string | undefined>, argv: readonly string[]): string[] {
  const errors: string[] = []
  if (config.databaseDirectUrl && !config.databaseUrl) {
    errors.push('SLUICE_DATABASE_DIRECT_URL is set without SLUICE_DATABASE_URL; set both, or neither')
  }
  if (config.role && config.role !== 'all' && !config.databaseUrl) {
    errors.push(
      `SLUICE_ROLE is "${config.role}", which needs SLUICE_DATABASE_URL; the embedded database serves one process`,
    )
  }
  const given = (name: VariableName) => Boolean(env[name])
  if (given('SLUICE_SMTP_URL') !== given('SLUICE_MAIL_FROM')) {
    const [set, unset] = given('SLUICE_SMTP_URL')
      ? ['SLUICE_SMTP_URL', 'SLUICE_MAIL_FROM']
      : ['SLUICE_MAIL_FROM', 'SLUICE_SMTP_URL']
    errors.push(`${set} is set without ${unset}; set both, or neither`)
  }
  if (config.exit && !config.demo) errors.push('--exit is for --demo; use both')
  if (config.stopRunners && argv.includes('--keep'))
    errors.push('--keep and --stop-runners contradict each other; use one')
  return errors
}

/** The text of `bin/start --help`. */
export function helpText(): string {
  const line = (name: string, means: string) => `  ${name.padEnd(28)}${means}`
  const ofVariable = ([name, { means, default: fallback }]: [string, Variable<unknown>]) =>
    line(name, fallback ? `${means} (${fallback})` : means)
  return [
    'Usage: bin/start [options]',
    '',
    'Starts Sluice and stays in the foreground; Ctrl-C stops it. Actions that are running continue, and the next start',
    'adopts them.',
    '',
    ...Object.entries(flags).map(([flag, means]) => line(flag, means)),
    '',
    'Environment (default in brackets; none is needed):',
    ...Object.entries(variables as Record<string, Variable<unknown>>).map(ofVariable),
    line(`${overridePrefix}<NAME>`, 'a setting that beats the stored one: upper case, dots as __, JSON or else text'),
    '',
  ].join('\n')
}
