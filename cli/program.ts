import { Argument, Command, Option } from 'commander'
import { activityCommands } from './activity-commands.ts'
import { exportTrail, showHead, verifyTrail } from './audit.ts'
import { candidates, completionScript } from './completion.ts'
import { rotateKeys } from './keys.ts'
import { refreshDirectory } from './ldap.ts'
import { login, logout } from './login.ts'
import { drain, maintenance, maintenanceModes } from './maintenance.ts'
import { narrowing, several } from './narrowing.ts'
import { formats } from './output.ts'
import { callApi, whoAmI } from './plain-requests.ts'
import { applyPolicy } from './policies.ts'
import { list, listAt, show } from './read-records.ts'
import { kindNamed, one, plural, type RecordKind, recordKinds, verbOf } from './record-kinds.ts'
import { type Everywhere, say, type TerminalOf, terminalFor } from './terminal.ts'
import { archive, create, remove, update } from './write-records.ts'

type Options = Everywhere

/**
 * Every command, its arguments and its help.
 *
 * @param end is told the status of a command that ends otherwise than by success or by an error
 */
export function program(version: string, end: (status: number) => void): Command {
  const sluice = new Command('sluice')
    .description('Sluice from the command line: who may do what, when, and the proof of it.')
    .version(version)
    .option('--url <url>', 'the service (default: SLUICE_URL, then that of the last login)')
    .addOption(new Option('-o, --output <format>', 'how to show what was asked for').choices(formats).default('table'))
    .showHelpAfterError('(sluice --help, sluice <command> --help)')
    .on('beforeAllHelp', ({ command }: { command: Command }) => refuseUnknown(command))
    .addHelpText('after', environmentHelp)
  const terminal = (command: Command) => terminalFor(command.optsWithGlobals<Options>())

  signingIn(sluice)
  records(sluice, terminal, end)
  activityCommands(sluice, terminal, end)

  narrowing(sluice.command('events').description('what happened lately, and who did it'))
    .option('--node <path>', 'of this node and what lies beneath it')
    .option('--change <id>', 'of this change')
    .action(async ({ node, change, ...options }, command: Command) => {
      const own = [...(node ? [`under=${node}`] : []), ...(change ? [`for_change=${change}`] : [])]
      await listAt(terminal(command), kindNamed('event'), '/api/events', {
        columns: 'created_at,type,username,node_path',
        ...options,
        limit: options.limit ?? (options.all ? undefined : '20'),
        filter: [...(options.filter ?? []), ...own],
      })
    })

  audit(sluice, terminal, end)

  sluice
    .command('policies')
    .description('who may do what, from files')
    .command('apply')
    .description('make the policy that a file states, or give the one of its name exactly its rules and assignments')
    .requiredOption(
      '--data <file>',
      'name, description, authorisation_rules, assignments in YAML or JSON; - is standard input',
    )
    .action(async (options, command: Command) => applyPolicy(terminal(command), options))

  sluice
    .command('keys')
    .description('the keys that everything secret is sealed under')
    .command('rotate')
    .description('replace the data key, and seal anew what was sealed before, while everything goes on')
    .option('--root', 'replace the root key too, by the next one, which every process has been given')
    .option('--no-wait', 'do not wait until it has ended')
    .action(async (options, command: Command) => end(await rotateKeys(terminal(command), options)))

  sluice
    .command('maintenance')
    .description('whether new work is held back; with a word, from now on')
    .addArgument(new Argument('[mode]', 'how it is to be').choices(Object.keys(maintenanceModes)))
    .action(async (mode, _, command: Command) => maintenance(terminal(command), mode))

  sluice
    .command('drain')
    .description('what is still in progress, and whom it waits for; 0 when nothing is, else 1')
    .option('--wait', 'until nothing is')
    .action(async (options, command: Command) => end(await drain(terminal(command), options)))

  sluice
    .command('api')
    .description('any request of the interface, answered as it comes: for what has no command of its own')
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE')
    .argument('<path>', 'with or without /api, with its query string')
    .argument('[attributes...]', 'name=value')
    .option('--data <file>', 'attributes in YAML or JSON; - is standard input')
    .option('--wait', 'until what was created is ready or has ended; 1 when it failed')
    .action(async (method, path, words, options, command: Command) =>
      end(await callApi(terminal(command), method, path, words, options)),
    )

  sluice
    .command('ldap')
    .description('the directory of users and groups')
    .command('refresh')
    .description('read users and groups from the directory again')
    .option('--wait', 'until it has ended; 1 when it failed')
    .action(async (options, command: Command) => end(await refreshDirectory(terminal(command), options)))

  sluice
    .command('completion')
    .description('what a shell needs to complete commands, types, flags and paths of nodes')
    .argument('<shell>', 'bash or zsh')
    .action(shell => void process.stdout.write(completionScript(shell)))
  sluice
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: string[]) => void process.stdout.write(await candidates(sluice, words)))
  return sluice
}

/** Help on a command that there is not would otherwise be that of all commands. */
function refuseUnknown(command: Command): void {
  const [word = 'help', helped] = command.args
  const wanted = word === 'help' ? helped : word
  if (command.commands.length === 0 || !wanted || wanted === 'help' || wanted.startsWith('-')) return
  if (!command.commands.some(each => each.name() === wanted || each.aliases().includes(wanted)))
    command.error(`error: unknown command '${wanted}'`, { code: 'commander.unknownCommand' })
}

function signingIn(sluice: Command): void {
  sluice
    .command('login')
    .description('sign in; the password is asked for, and a token is kept that logout revokes')
    .argument('[url]', 'the service')
    .option('--user <name>', 'who signs in (asked for otherwise)')
    .option('--days <number>', 'how long the token is good for', '90')
    .action(async (url, { user, days }, command: Command) =>
      login(url ?? command.optsWithGlobals<Options>().url, { user, days: Number(days), say }),
    )
  sluice
    .command('logout')
    .description('revoke the token and forget it')
    .argument('[url]', 'the service')
    .action(async (url, _, command: Command) => logout(url ?? command.optsWithGlobals<Options>().url, say))
  sluice
    .command('whoami')
    .description('who is signed in, and where')
    .action(async (_, command: Command) => whoAmI(terminalFor(command.optsWithGlobals<Options>())))
}

function audit(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('audit').description('the proof of what happened: events, sealed one to the next')
  group
    .command('verify')
    .description('prove that nothing of it was changed, left out or put in; 0 when it holds, else 1')
    .argument('[files...]', 'what export has written, in its order: needs no service; - is standard input')
    .option('--head <number:hash>', 'a seal that was noted before: the trail has to lead through it', several)
    .action(async (files, options, command: Command) => end(await verifyTrail(terminal(command), files, options)))
  group
    .command('export')
    .description('write it, a line of JSON for each event')
    .option('--after <number>', 'only what follows this seal')
    .action(async (options, command: Command) => exportTrail(terminal(command), options))
  group
    .command('head')
    .description('where it stands: note it where nobody reaches who could change the database')
    .action(async (_, command: Command) => showHead(terminal(command)))
}

function records(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const where = 'the path of the record, or the values of its path: /projects/bank, or: bank'
  sluice
    .command('types')
    .description('the types of records, and what can be done with each')
    .action(() => void process.stdout.write(typesText()))

  narrowing(sluice.command('list').description('list records'))
    .argument('<type>', 'sluice types lists them')
    .argument('[where...]', 'where the list lies, when there is more than one: /projects/bank')
    .action(async (type, place, options, command: Command) => list(terminal(command), type, place, options))
  sluice
    .command('show')
    .description('show one record')
    .argument('<type>')
    .argument('<where...>', where)
    .option('--include <relationships>', 'with what it is related to (JSON and YAML)')
    .option('--query <name=value>', 'a parameter of its own', several)
    .action(async (type, place, options, command: Command) => show(terminal(command), type, place, options))

  const writes = (name: string, about: string) =>
    sluice
      .command(name)
      .description(about)
      .argument('<type>')
      .argument('[words...]', 'where, then attributes: name=value, name=@file, data.part=value')
      .option('--data <file>', 'attributes in YAML or JSON; - is standard input')
      .option('--meta <name=value>', 'what stands beside the attributes', several)
      .addHelpText('after', (context: { command: Command }) => attributesHelp(context.command))
  writes('create', 'create a record')
    .option('--wait', 'template versions, background tasks, changes: until it is ready or has ended; 1 when it failed')
    .action(async (type, words, options, command: Command) =>
      end(await create(terminal(command), type, words, options)),
    )
  writes('update', 'change a record')
    .option('--merge', 'change parts of a document: what is not named stays')
    .action(async (type, words, options, command: Command) =>
      end(await update(terminal(command), type, words, options)),
    )
  sluice
    .command('archive')
    .description('archive a record: it is kept, and takes nothing new')
    .argument('<type>')
    .argument('<where...>', where)
    .action(async (type, place, _, command: Command) => archive(terminal(command), type, place))
  sluice
    .command('delete')
    .description('delete a record for good')
    .argument('<type>')
    .argument('<where...>', where)
    .option('--force', 'destroy a node that is in use, with everything beneath it')
    .option('--yes', 'do not ask')
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

/** `sluice create project --help` says what a project takes: the attributes are the interface's own. */
function attributesHelp(command: Command): string {
  const [type] = command.args.length > 0 ? command.args : typed(command)
  if (!type || type.startsWith('-')) return '\nWhat a type takes: sluice create <type> --help'
  const kind = kindNamed(type)
  const operations = command.name() === 'create' ? kind.creates : kind.updates
  const fields = Object.entries(operations.at(-1)?.attributes ?? {})
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  const lines = fields.map(([name, { about = '', required }]) => {
    return `  ${name.padEnd(width)}  ${about}${required ? ' Required.' : ''}`
  })
  const places = [...new Set(operations.map(({ path }) => path.replace(/^\/api/, '')))]
  return `\nAttributes of ${one(kind.type)}:\n${lines.join('\n')}\n\nWhere:\n${places.map(place => `  ${place}`).join('\n')}`
}

const typed = (command: Command) => process.argv.slice(process.argv.indexOf(command.name()) + 1)

const environmentHelp = `
Environment:
  SLUICE_URL    the service
  SLUICE_TOKEN  a token, in place of a login
  NO_COLOR      no colours

It ends with 0, or 1 when something failed, 2 when it was called wrongly, 130 after Ctrl-C.`
