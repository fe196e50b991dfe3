import type { Command } from 'commander'
import { decideOnStep, holdChange, planChange, retryChange } from './change-verbs.ts'
import { cancelChange, changeLogs, changeSteps, createChange } from './changes.ts'
import { narrowing, several } from './narrowing.ts'
import { list, show } from './read-records.ts'
import type { TerminalOf } from './terminal.ts'
import { createRun, retryRun, runSteps, steerRun, waitForRun } from './workflow-runs.ts'
import { publishWorkflow, validateWorkflow } from './workflows.ts'

/** The commands about what runs: changes and their steps, workflows and their runs. */
export function activityCommands(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  changes(sluice, terminal, end)
  steps(sluice, terminal)
  workflows(sluice, terminal, end)
  workflowRuns(sluice, terminal, end)
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
    .option('--raw', 'the text alone as it was written, without the names of steps: for a file')
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

function steps(sluice: Command, terminal: TerminalOf): void {
  const group = sluice
    .command('steps')
    .alias('step')
    .description('decide on steps that wait, of changes and of workflow runs')
  narrowing(
    group
      .command('list')
      .description('list steps of changes: --filter waiting_for_me=true; those of runs: sluice list workflow_steps'),
  ).action(async (options, command: Command) => list(terminal(command), 'step', [], options))
  for (const [verb, what] of [
    ['approve', 'approve a step: with the last approval that it asks for it goes on'],
    ['reject', 'reject a step, which ends its change or run'],
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

function workflowRuns(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('workflow-runs').alias('workflow-run').description('run workflows, and watch them')
  beginning(group.command('create').description('run a workflow'))
    .argument('<project>', '/projects/bank, or: bank')
    .argument('<workflow>', 'its code')
    .argument('[attributes...]', 'name=value: version=…, run_at=…')
    .option('--property <path=value>', 'what is put over the properties of the project: release.tag=v7', several)
    .option('--skip <glob>', 'steps to leave out, by their name', several)
    .action(async (project, workflow, words, options, command: Command) =>
      end(await createRun(terminal(command), project, workflow, words, options)),
    )
  beginning(group.command('retry').description('run again what of it did not succeed, as a new run'))
    .argument('<id>')
    .argument('[attributes...]', 'name=value: version=…, run_at=…')
    .option('--property <path=value>', 'properties for the retry, in place of those of before', several)
    .option('--skip <glob>', 'steps to leave out, in place of those of before', several)
    .action(async (id, words, options, command: Command) => end(await retryRun(terminal(command), id, words, options)))
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
  group
    .command('cancel')
    .description('stop what it has made, and never begin the rest')
    .argument('<id>')
    .action(async (id, _, command: Command) => steerRun(terminal(command), id, 'cancel'))
  for (const [how, description] of [
    ['pause', 'begin nothing more of it, nor of what it has made'],
    ['resume', 'let it go on'],
  ] as const)
    group
      .command(how)
      .description(description)
      .argument('<id>')
      .option('--reason <text>', 'why, for whoever reads it later')
      .action(async (id, options, command: Command) => steerRun(terminal(command), id, how, options))
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

/** What every command takes that begins a run. */
const beginning = (command: Command): Command =>
  command
    .option('--metadata <name=value>', 'whatever helps to find it again', several)
    .option('--wait', 'wait until it has ended; the exit status is its own')
    .option('--show-steps', 'and show its steps')
    .addHelpText('after', runStatusHelp)

const statusHelp = `
With --wait, --show-steps or --show-logs it ends with 0 when the change succeeded, 1 when it failed, 3 when it was
cancelled or rejected, 141 when its output is read no further before that. Ctrl-C ends the waiting with 130, and asks
whether the change is to be cancelled, too.`

const runStatusHelp = `
With --wait or --show-steps it ends with 0 when the run succeeded, 1 when it failed, 3 when it was cancelled or rejected,
141 when its output is read no further before that. Ctrl-C ends the waiting with 130; the run goes on.`
