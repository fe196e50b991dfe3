import { Argument, Command, Option } from 'commander'
import { activityCommands } from './activity-commands.ts'
import { exportTrail, showHead, verifyTrail } from './audit.ts'
import { candidates, completionScript } from './completion.ts'
import { rotateKeys } from './keys.ts'
import { refreshDirectory } from './ldap.ts'
import { listOptions, repeatable } from './list-options.ts'
import { login, logout } from './login.ts'
import { drain, maintenance, maintenanceModes } from './maintenance.ts'
import { formats } from './output.ts'
import { callApi, whoAmI } from './plain-requests.ts'
import { applyPolicy } from './policies.ts'
import { list, listAt, show } from './read-records.ts'
import { kindNamed, one, plural, type RecordKind, recordKinds, verbOf } from './record-kinds.ts'
import { type GlobalOptions, say, type TerminalOf, terminalFor } from './terminal.ts'
import { archive, create, remove, update } from './write-records.ts'

type Options = GlobalOptions

/**
 * Defines all commands with their arguments and help.
 *
 * @param end receives the exit status of commands that report more than success or an error
 */
export function program(version: string, end: (status: number) => void): Command {
  const sluice = new Command('sluice')
    .description('Command-line client of Sluice, the change-automation service.')
    .version(version)
    .option('--url <url>', 'URL of the service (default: SLUICE_URL, then the last login)')
    .addOption(new Option('-o, --output <format>', 'output format').choices(formats).default('table'))
    .showHelpAfterError('(sluice --help, sluice <command> --help)')
    .on('beforeAllHelp', ({ command }: { command: Command }) => refuseUnknown(command))
    .addHelpText('after', environmentHelp)
  const terminal = (command: Command) => terminalFor(command.optsWithGlobals<Options>())

  signInCommands(sluice)
  recordCommands(sluice, terminal, end)
  activityCommands(sluice, terminal, end)

  listOptions(sluice.command('events').description('show recent events of the audit trail'))
    .option('--node <path>', 'only events of this node and the nodes below it')
    .option('--change <id>', 'only events of this change')
    .action(async ({ node, change, ...options }, command: Command) => {
      const own = [...(node ? [`under=${node}`] : []), ...(change ? [`for_change=${change}`] : [])]
      await listAt(terminal(command), kindNamed('event'), '/api/events', {
        columns: 'created_at,type,username,node_path',
        ...options,
        limit: options.limit ?? (options.all ? undefined : '20'),
        filter: [...(options.filter ?? []), ...own],
      })
    })

  auditCommands(sluice, terminal, end)

  sluice
    .command('policies')
    .description('manage authorisation policies from files')
    .command('apply')
    .description('create the policy in a file, or replace the rules and assignments of the existing one')
    .requiredOption(
      '--data <file>',
      'name, description, authorisation_rules, assignments in YAML or JSON; - reads standard input',
    )
    .action(async (options, command: Command) => applyPolicy(terminal(command), options))

  sluice
    .command('keys')
    .description('manage the encryption keys')
    .command('rotate')
    .description('replace the data key and re-encrypt all data without downtime')
    .option('--root', 'also switch to the next root key, which every process must have')
    .option('--no-wait', 'start the rotation and return at once')
    .action(async (options, command: Command) => end(await rotateKeys(terminal(command), options)))

  sluice
    .command('maintenance')
    .description('show or set maintenance mode, in which no new work starts')
    .addArgument(new Argument('[mode]', 'new mode').choices(Object.keys(maintenanceModes)))
    .action(async (mode, _, command: Command) => maintenance(terminal(command), mode))

  sluice
    .command('drain')
    .description('show the work in progress and its blockers; exit status 0 if there is none, else 1')
    .option('--wait', 'wait until no work is in progress')
    .action(async (options, command: Command) => end(await drain(terminal(command), options)))

  sluice
    .command('api')
    .description('send any request to the API and print the response')
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE')
    .argument('<path>', 'path with query string; the prefix /api is optional')
    .argument('[attributes...]', 'name=value')
    .option('--data <file>', 'attributes in YAML or JSON; - reads standard input')
    .option('--wait', 'wait until the created record is ready or has ended; exit status 1 if it failed')
    .action(async (method, path, words, options, command: Command) =>
      end(await callApi(terminal(command), method, path, words, options)),
    )

  sluice
    .command('ldap')
    .description('manage the LDAP directory')
    .command('refresh')
    .description('refresh users and groups from the directory')
    .option('--wait', 'wait for the result; exit status 1 if it failed')
    .action(async (options, command: Command) => end(await refreshDirectory(terminal(command), options)))

  sluice
    .command('completion')
    .description('print the shell completion script')
    .argument('<shell>', 'bash or zsh')
    .action(shell => void process.stdout.write(completionScript(shell)))
  sluice
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => void process.stdout.write(await candidates(sluice, words)))
  return sluice
}

/** Rejects `help` for an unknown command; Commander would print the help of the whole program. */
function refuseUnknown(command: Command): void {
  const [word = 'help', helped] = command.args
  const wanted = word === 'help' ? helped : word
  if (command.commands.length === 0 || !wanted || wanted === 'help' || wanted.startsWith('-')) return
  if (!command.commands.some(each => each.name() === wanted || each.aliases().includes(wanted)))
    command.error(`error: unknown command '${wanted}'`, { code: 'commander.unknownCommand' })
}

function signInCommands(sluice: Command): void {
  sluice
    .command('login')
    .description('sign in with a password and store a token, which logout revokes')
    .argument('[url]', 'URL of the service')
    .option('--user <name>', 'username (default: prompt)')
    .option('--days <number>', 'lifetime of the token in days', '90')
    .action(async (url, { user, days }, command: Command) =>
      login(url ?? command.optsWithGlobals<Options>().url, { user, days: Number(days), say }),
    )
  sluice
    .command('logout')
    .description('revoke and delete the stored token')
    .argument('[url]', 'URL of the service')
    .action(async (url, _, command: Command) => logout(url ?? command.optsWithGlobals<Options>().url, say))
  sluice
    .command('whoami')
    .description('show the signed-in user and the service')
    .action(async (_, command: Command) => whoAmI(terminalFor(command.optsWithGlobals<Options>())))
}

function auditCommands(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('audit').description('verify and export the audit trail, a hash chain of events')
  group
    .command('verify')
    .description('verify that no event was changed, removed or inserted; exit status 0 if the trail is intact, else 1')
    .argument('[files...]', 'exported files in order, verified offline; - reads standard input')
    .option('--head <number:hash>', 'a previously noted head that the trail must contain', repeatable)
    .action(async (files, options, command: Command) => end(await verifyTrail(terminal(command), files, options)))
  group
    .command('export')
    .description('export the trail as JSON lines, one per event')
    .option('--after <number>', 'only events after this seal')
    .action(async (options, command: Command) => exportTrail(terminal(command), options))
  group
    .command('head')
    .description('print the current head; store it out of reach of database administrators')
    .action(async (_, command: Command) => showHead(terminal(command)))
}

function recordCommands(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const where = 'path of the record or the values in it: /projects/bank or bank'
  sluice
    .command('types')
    .description('list the record types and the operations of each')
    .action(() => void process.stdout.write(typesText()))

  listOptions(sluice.command('list').description('list records'))
    .argument('<type>', 'record type; see sluice types')
    .argument('[where...]', 'parent of the records, for example /projects/bank')
    .action(async (type, place, options, command: Command) => list(terminal(command), type, place, options))
  sluice
    .command('show')
    .description('show one record')
    .argument('<type>')
    .argument('<where...>', where)
    .option('--include <relationships>', 'include related records (JSON and YAML only)')
    .option('--query <name=value>', 'a parameter of its own', repeatable)
    .action(async (type, place, options, command: Command) => show(terminal(command), type, place, options))

  const writes = (name: string, about: string) =>
    sluice
      .command(name)
      .description(about)
      .argument('<type>')
      .argument('[words...]', 'path of the record, then attributes: name=value, name=@file, data.part=value')
      .option('--data <file>', 'attributes in YAML or JSON; - reads standard input')
      .option('--meta <name=value>', 'entry of the request meta object', repeatable)
      .addHelpText('after', (context: { command: Command }) => attributesHelp(context.command))
  writes('create', 'create a record')
    .option(
      '--wait',
      'for template versions, background tasks, changes and runs: wait for the result; exit status 1 if it failed',
    )
    .action(async (type, words, options, command: Command) =>
      end(await create(terminal(command), type, words, options)),
    )
  writes('update', 'update a record')
    .option('--merge', 'merge into the existing document (RFC 7396)')
    .action(async (type, words, options, command: Command) =>
      end(await update(terminal(command), type, words, options)),
    )
  sluice
    .command('archive')
    .description('archive a record: it stays readable but accepts no new work')
    .argument('<type>')
    .argument('<where...>', where)
    .action(async (type, place, _, command: Command) => archive(terminal(command), type, place))
  sluice
    .command('delete')
    .description('delete a record permanently')
    .argument('<type>')
    .argument('<where...>', where)
    .option('--force', 'destroy a node that is in use, including all nodes below it')
    .option('--yes', 'skip the confirmation')
    .action(async (type, place, options, command: Command) => remove(terminal(command), type, place, options))
}

function typesText(): string {
  const can = (kind: RecordKind) =>
    [
      kind.lists.length > 0 && 'list',
      kind.shows.length > 0 && 'show',
      kind.creates.length > 0 && 'create',
      kind.updates.length > 0 && 'update',
      ...new Set(kind.removes.map(verbOf)),
    ].filter(Boolean)
  const width = Math.max(...recordKinds.map(({ type }) => plural(type).length))
  return recordKinds
    .map(kind => `${plural(kind.type).padEnd(width)}  ${can(kind).join(' ').padEnd(31)}  ${kind.about}\n`)
    .join('')
}

/** Attributes and paths of a record type, for `sluice create project --help`. */
function attributesHelp(command: Command): string {
  const [type] = command.args.length > 0 ? command.args : typed(command)
  if (!type || type.startsWith('-')) return '\nTo list the attributes of a type: sluice create <type> --help'
  const kind = kindNamed(type)
  const operations = command.name() === 'create' ? kind.creates : kind.updates
  const fields = Object.entries(operations.at(-1)?.attributes ?? {})
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  const lines = fields.map(([name, { about = '', required }]) => {
    return `  ${name.padEnd(width)}  ${about}${required ? ' Required.' : ''}`
  })
  const places = [...new Set(operations.map(({ path }) => path.replace(/^\/api/, '')))]
  return `\nAttributes of ${one(kind.type)}:\n${lines.join('\n')}\n\nPaths:\n${places.map(place => `  ${place}`).join('\n')}`
}

const typed = (command: Command) => process.argv.slice(process.argv.indexOf(command.name()) + 1)

const environmentHelp = `
Environment:
  SLUICE_URL    URL of the service
  SLUICE_TOKEN  token to use instead of a login
  NO_COLOR      disable colors

Exit status: 0 success, 1 failure, 2 wrong usage, 130 interrupted by Ctrl-C.`
