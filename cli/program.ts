import { Argument, Command, Option } from 'commander'
import { decideOnStep, holdChange, planChange, retryChange } from './change-verbs.ts'
import { cancelChange, changeLogs, changeSteps, createChange } from './changes.ts'
import { candidates, completionScript } from './completion.ts'
import { rotateKeys } from './keys.ts'
import { login, logout } from './login.ts'
import { drain, maintenance, maintenanceModes } from './maintenance.ts'
import { formats } from './output.ts'
import { callApi, whoAmI } from './plain-requests.ts'
import { list, listAt, show } from './read-records.ts'
import { kindNamed, plural, type RecordKind, recordKinds, verbOf } from './record-kinds.ts'
import { type Everywhere, say, terminalFor } from './terminal.ts'
import { createRun, runSteps, steerRun, waitForRun } from './workflow-runs.ts'
import { publishWorkflow, validateWorkflow } from './workflows.ts'
import { archive, create, remove, update } from './write-records.ts'

type Options = Everywhere

const several = (value: string, before: string[] = []) => [...before, value]

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
    .addHelpText('after', environmentHelp)
  const terminal = (command: Command) => terminalFor(command.optsWithGlobals<Options>())

  signingIn(sluice)
  records(sluice, terminal)
  changes(sluice, terminal, end)
  steps(sluice, terminal)
  workflows(sluice, terminal, end)
  workflowRuns(sluice, terminal, end)

  narrowing(sluice.command('events').description('what happened lately, and who did it'))
    .option('--node <path>', 'of this node and what lies beneath it')
    .option('--change <id>', 'of this change')
    .action(async ({ node, change, ...options }, command: Command) => {
      const own = [...(node ? [`node_path_start=${node}`] : []), ...(change ? [`for_change=${change}`] : [])]
      await listAt(terminal(command), kindNamed('event'), '/api/events', {
        columns: 'created_at,type,username,node_path',
        ...options,
        limit: options.limit ?? (options.all ? undefined : '20'),
        filter: [...(options.filter ?? []), ...own],
      })
    })

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
    .action(async (method, path, words, options, command: Command) =>
      callApi(terminal(command), method, path, words, options),
    )

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

type TerminalOf = (command: Command) => ReturnType<typeof terminalFor>

function records(sluice: Command, terminal: TerminalOf): void {
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
  writes('create', 'make a record').action(async (type, words, options, command: Command) =>
    create(terminal(command), type, words, options),
  )
  writes('update', 'change a record')
    .option('--merge', 'change parts of a document: what is not named stays')
    .action(async (type, words, options, command: Command) => update(terminal(command), type, words, options))
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

function workflows(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('workflows').alias('workflow').description('check workflows, and publish them')
  group
    .command('validate')
    .description('the steps that a file comes to, or every fault with its line and column')
    .argument('<project>', 'whose targets and properties: /projects/bank, or: bank')
    .requiredOption('-f, --file <file>', 'the workflow in YAML; - is standard input')
    .option('--property <path=value>', 'a property as a run would override it: release.version=7', several)
    .action(async (project, options, command: Command) =>
      end(await validateWorkflow(terminal(command), project, options)),
    )
  group
    .command('publish')
    .description('publish a draft: from then on it runs and never changes')
    .argument('<project>', '/projects/bank, or: bank')
    .argument('<code>')
    .argument('[version]', 'the newest, where none is named')
    .action(async (project, code, version, _, command: Command) =>
      publishWorkflow(terminal(command), project, code, version),
    )
}

function changes(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('changes').alias('change').description('run actions, and watch them')
  group
    .command('create')
    .description('run an action on a node')
    .argument('<node>', 'its path: /projects/bank/environments/test/assets/web')
    .argument('<action>', 'what to run')
    .argument('[attributes...]', 'name=value: git_remote_name=…, git_rev=…, template_version=…, run_at=…')
    .option('--property <path=value>', 'a property for this change alone: web.port=8080', several)
    .option('--setting <name=value>', 'a setting for this change alone: runner.sandbox=false', several)
    .option('--settings <name=value>', 'the same', several)
    .option('--skip <glob>', 'steps to leave out, by their full path', several)
    .option('--metadata <name=value>', 'whatever helps to find it again', several)
    .option('--wait', 'wait until it has ended; the exit status is its own')
    .option('--show-steps', 'and show its steps')
    .option('--show-logs', 'and show what they write')
    .addHelpText('after', statusHelp)
    .action(async (node, action, words, { settings, ...options }, command: Command) => {
      const setting = [...(options.setting ?? []), ...(settings ?? [])]
      const all = { ...options, ...(setting.length > 0 && { setting }) }
      end(await createChange(terminal(command), node, action, words, all))
    })
  group
    .command('logs')
    .description('what its steps have written')
    .argument('<id>')
    .option('--follow', 'go on until it has ended; the exit status is its own')
    .option('--step <path>', 'of this step and those beneath it')
    .action(async (id, options, command: Command) => end(await changeLogs(terminal(command), id, options)))
  group
    .command('steps')
    .description('its steps, as a tree')
    .argument('<id>')
    .action(async (id, _, command: Command) => changeSteps(terminal(command), id))
  group
    .command('cancel')
    .description('stop what runs of it, and never begin the rest')
    .argument('<id>')
    .option('--wait', 'wait until nothing of it runs any more')
    .action(async (id, options, command: Command) => end(await cancelChange(terminal(command), id, options)))
  group
    .command('plan')
    .description('what a change would run, whom it would ask and what it would wait for; makes none')
    .argument('<node>', 'its path: /projects/bank/environments/test/assets/web')
    .argument('<action>', 'what would run')
    .argument('[attributes...]', 'as of create')
    .option('--property <path=value>', 'a property for this change alone: web.port=8080', several)
    .option('--setting <name=value>', 'a setting for this change alone', several)
    .option('--skip <glob>', 'steps to leave out, by their full path', several)
    .action(async (node, action, words, options, command: Command) =>
      planChange(terminal(command), node, action, words, options),
    )
  group
    .command('retry')
    .description('run again what of it did not succeed, as a new change')
    .argument('<id>')
    .option('--refresh', 'with the newest commit')
    .option('--property <path=value>', 'properties for the retry, in place of those of before', several)
    .option('--setting <name=value>', 'settings for the retry, in place of those of before', several)
    .option('--skip <glob>', 'steps to leave out, in place of those of before', several)
    .option('--metadata <name=value>', 'whatever helps to find it again', several)
    .option('--wait', 'wait until it has ended; the exit status is its own')
    .option('--show-steps', 'and show its steps')
    .option('--show-logs', 'and show what they write')
    .addHelpText('after', statusHelp)
    .action(async (id, options, command: Command) => end(await retryChange(terminal(command), id, options)))
  for (const [verb, what] of [
    ['pause', 'let its running steps end, and begin no other'],
    ['resume', 'let it go on'],
  ] as const)
    group
      .command(verb)
      .description(what)
      .argument('<id>')
      .option('--reason <text>', 'why, for whoever reads it later')
      .action(async (id, options, command: Command) => holdChange(terminal(command), id, verb, options))
  narrowing(group.command('list').description('list changes, the newest first'))
    .argument('[node]', 'of this node only')
    .action(async (node, options, command: Command) => list(terminal(command), 'change', node ? [node] : [], options))
  group
    .command('show')
    .description('show one change')
    .argument('<id>')
    .action(async (id, _, command: Command) => show(terminal(command), 'change', [id], {}))
}

function workflowRuns(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('workflow-runs').alias('workflow-run').description('run workflows, and watch them')
  group
    .command('create')
    .description('run a workflow')
    .argument('<project>', 'its path: /projects/bank')
    .argument('<workflow>', 'its code')
    .argument('[attributes...]', 'name=value: version=…, run_at=…')
    .option('--property <path=value>', 'what is put over the properties of the project: release.tag=v7', several)
    .option('--skip <glob>', 'steps to leave out, by their name', several)
    .option('--metadata <name=value>', 'whatever helps to find it again', several)
    .option('--wait', 'wait until it has ended; the exit status is its own')
    .option('--show-steps', 'and show its steps')
    .addHelpText('after', statusHelp)
    .action(async (project, workflow, words, options, command: Command) =>
      end(await createRun(terminal(command), project, workflow, words, options)),
    )
  group
    .command('wait')
    .description('wait until it has ended; the exit status is its own')
    .argument('<id>')
    .option('--show-steps', 'and show its steps')
    .action(async (id, { showSteps: steps = false }, command: Command) =>
      end(await waitForRun(terminal(command), id, { steps })),
    )
  group
    .command('steps')
    .description('its steps, as a tree')
    .argument('<id>')
    .action(async (id, _, command: Command) => runSteps(terminal(command), id))
  for (const [how, description] of [
    ['cancel', 'stop what it has made, and never begin the rest'],
    ['pause', 'begin nothing more of it, nor of what it has made'],
    ['resume', 'let it go on'],
  ] as const)
    group
      .command(how)
      .description(description)
      .argument('<id>')
      .action(async (id, _, command: Command) => steerRun(terminal(command), id, how))
  narrowing(group.command('list').description('list runs, the newest first'))
    .argument('[project]', 'of this project only')
    .action(async (project, options, command: Command) =>
      list(terminal(command), 'workflow_run', project ? [project] : [], options),
    )
  group
    .command('show')
    .description('show one run')
    .argument('<id>')
    .action(async (id, _, command: Command) => show(terminal(command), 'workflow_run', [id], {}))
}

function steps(sluice: Command, terminal: TerminalOf): void {
  const group = sluice.command('steps').alias('step').description('decide on steps that wait')
  narrowing(group.command('list').description('list steps: --filter waiting_for_me=true')).action(
    async (options, command: Command) => list(terminal(command), 'step', [], options),
  )
  for (const [verb, what] of [
    ['approve', 'approve a step: with the last approval that it asks for it goes on'],
    ['reject', 'reject a step, which ends its change'],
  ] as const)
    group
      .command(verb)
      .description(what)
      .argument('<id>')
      .option('--message <text>', 'why, for whoever reads it later')
      .action(async (id, options, command: Command) => decideOnStep(terminal(command), id, verb, [], options))
  group
    .command('continue')
    .description('let a step go on that nobody has to approve, with values for what it asks for')
    .argument('<id>')
    .argument('[values...]', 'name=value: version=42, token=@file')
    .option('--message <text>', 'why, for whoever reads it later')
    .action(async (id, values, options, command: Command) =>
      decideOnStep(terminal(command), id, 'continue', values, options),
    )
}

const narrowing = (command: Command): Command =>
  command
    .option('--filter <name=value>', 'as name_cont=web or status_code_eq=error; or a named filter: active', several)
    .option('--any', 'one of the filters is enough')
    .option('--sort <attribute>', 'upwards; -attribute sorts downwards', several)
    .option('--limit <number>', 'at most so many')
    .option('--all', 'all of them, page by page')
    .option('--columns <names>', 'these attributes, with commas')
    .option('--query <name=value>', 'a parameter of its own', several)

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
  return `\nAttributes of a ${kind.type}:\n${lines.join('\n')}\n\nWhere:\n${places.map(place => `  ${place}`).join('\n')}`
}

const typed = (command: Command) => process.argv.slice(process.argv.indexOf(command.name()) + 1)

const statusHelp = `
With --wait, --show-steps or --show-logs it ends with 0 when the change succeeded, 1 when it failed, 3 when it was
cancelled or rejected. Ctrl-C ends the waiting with 130, and asks whether the change is to be cancelled, too.`

const environmentHelp = `
Environment:
  SLUICE_URL    the service
  SLUICE_TOKEN  a token, in place of a login
  NO_COLOR      no colours

It ends with 0, or 1 when something failed, 2 when it was called wrongly, 130 after Ctrl-C.`
