import type { Command } from 'commander'
import { decideOnStep, pauseOrResumeChange, planChange, retryChange } from './change-verbs.ts'
import { cancelChange, changeLogs, changeSteps, createChange } from './changes.ts'
import { listOptions, repeatable } from './list-options.ts'
import { list, show } from './read-records.ts'
import type { TerminalOf } from './terminal.ts'
import { controlRun, createRun, planOfRun, retryRun, runSteps, waitForRun } from './workflow-runs.ts'
import { publishWorkflow, validateWorkflow } from './workflows.ts'

/** Adds the commands for changes, steps, workflows and workflow runs. */
export function activityCommands(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  changes(sluice, terminal, end)
  steps(sluice, terminal)
  workflows(sluice, terminal, end)
  workflowRuns(sluice, terminal, end)
}

function changes(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('changes').alias('change').description('run actions and follow their progress')
  group
    .command('create')
    .description('run an action on a node')
    .argument('<node>', 'path of the node, for example /projects/bank/environments/test/assets/web')
    .argument('<action>', 'name of the action to run')
    .argument('[attributes...]', 'name=value: git_remote_name, git_rev, template_version, run_at')
    .option(
      '--property <path=value>',
      'override a property for this change only, for example web.port=8080',
      repeatable,
    )
    .option(
      '--setting <name=value>',
      'override a setting for this change only, for example runner.sandbox=false',
      repeatable,
    )
    .option('--settings <name=value>', 'same as --setting', repeatable)
    .option('--skip <glob>', 'skip the steps whose full path matches', repeatable)
    .option('--metadata <name=value>', 'attach metadata to search by', repeatable)
    .option('--wait', 'wait for the result; it decides the exit status')
    .option('--show-steps', 'wait, and show the steps')
    .option('--show-logs', 'wait, and show the log')
    .addHelpText('after', statusHelp)
    .action(async (node, action, words, { settings, ...options }, command: Command) => {
      const setting = [...(options.setting ?? []), ...(settings ?? [])]
      const all = { ...options, ...(setting.length > 0 && { setting }) }
      end(await createChange(terminal(command), node, action, words, all))
    })
  group
    .command('logs')
    .description('show the log')
    .argument('<id>')
    .option('--follow', 'follow the log until the change has ended; the result decides the exit status')
    .option('--step <path>', 'only this step and its children')
    .option('--tail <number>', 'only the last lines, read without the others')
    .option('--raw', 'print only the text as it was written, without step names, for example to a file')
    .action(async (id, options, command: Command) => end(await changeLogs(terminal(command), id, options)))
  group
    .command('steps')
    .description('show the steps as a tree')
    .argument('<id>')
    .action(async (id, _, command: Command) => changeSteps(terminal(command), id))
  group
    .command('cancel')
    .description('stop the running steps and do not start the others')
    .argument('<id>')
    .option('--wait', 'wait until the change has ended')
    .action(async (id, options, command: Command) => end(await cancelChange(terminal(command), id, options)))
  group
    .command('plan')
    .description('show what a change would run, whom it would ask and what it would wait for, without creating it')
    .argument('<node>', 'path of the node, for example /projects/bank/environments/test/assets/web')
    .argument('<action>', 'name of the action')
    .argument('[attributes...]', 'as for create')
    .option(
      '--property <path=value>',
      'override a property for this change only, for example web.port=8080',
      repeatable,
    )
    .option('--setting <name=value>', 'override a setting for this change only', repeatable)
    .option('--skip <glob>', 'skip the steps whose full path matches', repeatable)
    .action(async (node, action, words, options, command: Command) =>
      planChange(terminal(command), node, action, words, options),
    )
  group
    .command('retry')
    .description('create a new change that runs the steps which did not succeed')
    .argument('<id>')
    .argument('[attributes...]', 'name=value, for example plan_sha=… from --plan: refused if the plan differs now')
    .option('--refresh', 'use the latest commit of the revision')
    .option('--property <path=value>', 'property overrides, instead of those of the original', repeatable)
    .option('--setting <name=value>', 'setting overrides, instead of those of the original', repeatable)
    .option('--skip <glob>', 'steps to skip, instead of those of the original', repeatable)
    .option('--metadata <name=value>', 'attach metadata to search by', repeatable)
    .option('--plan', planOfRetry)
    .option('--wait', 'wait for the result; it decides the exit status')
    .option('--show-steps', 'wait, and show the steps')
    .option('--show-logs', 'wait, and show the log')
    .addHelpText('after', statusHelp)
    .action(async (id, words, options, command: Command) =>
      end(await retryChange(terminal(command), id, words, options)),
    )
  for (const [verb, what] of [
    ['pause', 'let running steps finish and start no other step'],
    ['resume', 'resume a paused change'],
  ] as const)
    group
      .command(verb)
      .description(what)
      .argument('<id>')
      .option('--reason <text>', 'reason, recorded with the event')
      .action(async (id, options, command: Command) => pauseOrResumeChange(terminal(command), id, verb, options))
  listOptions(group.command('list').description('list changes, newest first'))
    .argument('[node]', 'only changes of this node and the nodes below it')
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
    .description('approve, reject or continue waiting steps of changes and workflow runs')
  listOptions(
    group
      .command('list')
      .description(
        'list steps of changes, for example --filter waiting_for_me=true (for runs: sluice list workflow_steps)',
      ),
  ).action(async (options, command: Command) => list(terminal(command), 'step', [], options))
  for (const [verb, what] of [
    ['approve', 'approve a step; it continues after the last required approval'],
    ['reject', 'reject a step, which ends its change or run'],
  ] as const)
    group
      .command(verb)
      .description(what)
      .argument('<id>')
      .option('--message <text>', 'reason, recorded with the event')
      .action(async (id, options, command: Command) => decideOnStep(terminal(command), id, verb, [], options))
  group
    .command('continue')
    .description('continue a step that waits for input instead of an approval')
    .argument('<id>')
    .argument('[values...]', 'input arguments as name=value, for example version=42 token=@file')
    .option('--message <text>', 'reason, recorded with the event')
    .action(async (id, values, options, command: Command) =>
      decideOnStep(terminal(command), id, 'continue', values, options),
    )
}

function workflows(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice.command('workflows').alias('workflow').description('validate and publish workflows')
  group
    .command('validate')
    .description('show the steps that a file defines, or every error with its line and column')
    .argument('<project>', 'project whose targets and properties are used: /projects/bank or bank')
    .requiredOption('-f, --file <file>', 'workflow in YAML; - reads standard input')
    .option('--property <path=value>', 'override a property as a run would, for example release.version=7', repeatable)
    .action(async (project, options, command: Command) =>
      end(await validateWorkflow(terminal(command), project, options)),
    )
  group
    .command('publish')
    .description('publish a draft version, which makes it runnable and immutable')
    .argument('<project>', '/projects/bank or bank')
    .argument('<code>')
    .argument('[version]', 'version number (default: the latest)')
    .action(async (project, code, version, _, command: Command) =>
      publishWorkflow(terminal(command), project, code, version),
    )
}

function workflowRuns(sluice: Command, terminal: TerminalOf, end: (status: number) => void): void {
  const group = sluice
    .command('workflow-runs')
    .alias('workflow-run')
    .description('run workflows and follow their progress')
  startOptions(group.command('create').description('run a workflow'))
    .argument('<project>', '/projects/bank or bank')
    .argument('<workflow>', 'code of the workflow')
    .argument('[attributes...]', 'name=value, for example version=3 run_at=2027-01-31T22:00:00Z')
    .option(
      '--property <path=value>',
      'override a property of the project for this run, for example release.tag=v7',
      repeatable,
    )
    .option('--skip <glob>', 'skip the steps with this name', repeatable)
    .action(async (project, workflow, words, options, command: Command) =>
      end(await createRun(terminal(command), project, workflow, words, options)),
    )
  group
    .command('plan')
    .description('show what a run would do, whom it would ask and what it would wait for, without creating it')
    .argument('<project>', '/projects/bank or bank')
    .argument('<workflow>', 'code of the workflow')
    .argument('[attributes...]', 'as for create')
    .option('--property <path=value>', 'override a property of the project for this run', repeatable)
    .option('--skip <glob>', 'skip the steps with this name', repeatable)
    .action(async (project, workflow, words, options, command: Command) =>
      planOfRun(terminal(command), project, workflow, words, options),
    )
  startOptions(group.command('retry').description('create a new run that runs the steps which did not succeed'))
    .argument('<id>')
    .argument('[attributes...]', 'name=value, for example version=3 run_at=2027-01-31T22:00:00Z')
    .option('--property <path=value>', 'property overrides, instead of those of the original', repeatable)
    .option('--skip <glob>', 'steps to skip, instead of those of the original', repeatable)
    .option('--plan', planOfRetry)
    .action(async (id, words, options, command: Command) => end(await retryRun(terminal(command), id, words, options)))
  group
    .command('wait')
    .description('wait for the result; it decides the exit status')
    .argument('<id>')
    .option('--show-steps', 'wait, and show the steps')
    .action(async (id, { showSteps: steps = false }, command: Command) =>
      end(await waitForRun(terminal(command), id, { steps })),
    )
  group
    .command('steps')
    .description('show the steps as a tree')
    .argument('<id>')
    .action(async (id, _, command: Command) => runSteps(terminal(command), id))
  group
    .command('cancel')
    .description('cancel its changes and runs and do not start the other steps')
    .argument('<id>')
    .action(async (id, _, command: Command) => controlRun(terminal(command), id, 'cancel'))
  for (const [how, description] of [
    ['pause', 'start no other step, neither of the run nor of its changes and runs'],
    ['resume', 'resume a paused run'],
  ] as const)
    group
      .command(how)
      .description(description)
      .argument('<id>')
      .option('--reason <text>', 'reason, recorded with the event')
      .action(async (id, options, command: Command) => controlRun(terminal(command), id, how, options))
  listOptions(group.command('list').description('list runs, newest first'))
    .argument('[project]', 'only runs of this project')
    .action(async (project, options, command: Command) =>
      list(terminal(command), 'workflow_run', project ? [project] : [], options),
    )
  group
    .command('show')
    .description('show one run')
    .argument('<id>')
    .action(async (id, _, command: Command) => show(terminal(command), 'workflow_run', [id], {}))
}

/** Adds the options of every command that starts a workflow run. */
const startOptions = (command: Command): Command =>
  command
    .option('--metadata <name=value>', 'attach metadata to search by', repeatable)
    .option('--wait', 'wait for the result; it decides the exit status')
    .option('--show-steps', 'wait, and show the steps')
    .addHelpText('after', runStatusHelp)

const planOfRetry = 'show which steps it would keep and which would run again, without creating it'

const statusHelp = `
Exit status with --wait, --show-steps or --show-logs:
  0    the change succeeded
  1    the change failed
  3    the change was cancelled or rejected
  130  interrupted by Ctrl-C, which offers to cancel the change
  141  the reader of the output closed it before the change ended`

const runStatusHelp = `
Exit status with --wait or --show-steps:
  0    the run succeeded
  1    the run failed
  3    the run was cancelled or rejected
  130  interrupted by Ctrl-C; the run continues
  141  the reader of the output closed it before the run ended`
