import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Moments of the service between two steps that must both take effect: the description says what has happened and what
 * has not. A test kills the process at each of them and checks that its promises hold (tests/failure, docs/failure.md).
 * Those of a runner are in runner/failpoints.ts.
 */
export const failpoints = {
  'command-committed': { has: 'what a request asks for is committed', hasNot: 'the caller has an answer' },
  'fetched-before-kept': { has: 'the mirror has the commit of a change', hasNot: 'the commit is kept and recorded' },
  'tree-before-commit': { has: 'the tree of a change is written', hasNot: 'that is committed' },
  'admission-before-commit': { has: 'a change has its slot and its runner', hasNot: 'that is committed' },
  'admission-committed': { has: 'a change is admitted, and that is committed', hasNot: 'any process was notified' },
  'runner-taken': { has: 'this process took it on to start a runner', hasNot: 'the runner has a process' },
  'spare-given': { has: 'a spare runner was given to a change', hasNot: 'the runner was notified' },
  'runner-spawned': { has: 'the runner has a process', hasNot: 'the process is recorded' },
  'session-begun': { has: 'the session of a runner is recorded', hasNot: 'the runner is welcomed' },
  'claim-before-commit': { has: 'steps are claimed for a runner', hasNot: 'that is committed' },
  'claim-committed': { has: 'steps are claimed, and that is committed', hasNot: 'the runner was sent them' },
  'log-stored': { has: 'log lines are stored', hasNot: 'they are acknowledged' },
  'artefact-stored': { has: 'an artefact is stored', hasNot: 'the runner has an answer' },
  'succession-before-sent': { has: 'what follows from a result was foreseen', hasNot: 'any of it is written' },
  'result-before-commit': { has: 'a result is applied, and what follows claimed', hasNot: 'that is committed' },
  'result-committed': { has: 'a result is applied and committed', hasNot: 'it is acknowledged, and what follows sent' },
  'timer-before-commit': { has: 'a wait step continues', hasNot: 'that is committed' },
  'lease-renewed': { has: 'leases are renewed', hasNot: 'the runners know it' },
  'cancel-before-sent': { has: 'a cancel is committed', hasNot: 'the runner was notified' },
  'runner-left': { has: 'a runner has said everything and ended', hasNot: 'that is recorded' },
  'lost-runner-killed': { has: 'all that a lost runner had started is dead', hasNot: 'its spool is read' },
  'lost-runner-before-commit': { has: 'the steps of a lost runner are resolved', hasNot: 'that is committed' },
  'key-in-use': { has: 'a new data key is in use, and that is committed', hasNot: 'the other processes were notified' },
  'destroyed-deleted': { has: 'some rows of destroyed nodes are deleted and committed', hasNot: 'the others are' },
  'key-resealed': { has: 'a range of a table is resealed and committed', hasNot: 'the rest is' },
  'retry-before-commit': { has: 'a retry of a change is made, with its steps', hasNot: 'that is committed' },
  'run-retry-before-commit': { has: 'a retry of a workflow run is made, with its steps', hasNot: 'that is committed' },
  'schedule-due-before-commit': { has: 'a due time is noted, and its job is queued', hasNot: 'that is committed' },
  'schedule-resolving': { has: 'the commit of a due time is being looked up', hasNot: 'its change is made' },
  'schedule-change-before-commit': { has: 'a due time has made its change', hasNot: 'that is committed' },
  'schedule-change-committed': { has: 'the change of a due time is committed', hasNot: 'its job has ended' },
  'workflow-step-before-commit': { has: 'a step of a workflow run has made its change', hasNot: 'that is committed' },
  'workflow-step-made': {
    has: 'a step of a workflow run has made its change for good',
    hasNot: 'any process was notified',
  },
  'workflow-news-before-commit': { has: 'the end of a change has ended its step', hasNot: 'that is committed' },
  'workflow-cancel-passed-on': { has: 'a cancelled run has cancelled one of its changes', hasNot: 'the next of them' },
  'workflow-pause-passed-on': { has: 'a paused run has paused one of its changes', hasNot: 'the next of them' },
  'data-cleaning-batch': { has: 'some of what is old is removed, and that is committed', hasNot: 'the rest is' },
  'seal-before-commit': { has: 'events are chained', hasNot: 'that is committed' },
} as const

export type Failpoint = keyof typeof failpoints

/** Names the folder in which files arm failpoints. Only the user who starts the service can set it. */
const variable = 'SLUICE_TEST_FAILPOINTS'
const folder = process.env[variable]

/** Environment variables that arm the failpoints of a runner, which has its own. */
export const failpointEnvironment: Readonly<Record<string, string>> = folder ? { [variable]: folder } : {}

/**
 * A file named after the point makes the process that reaches it die there, once, as by a power cut: it is renamed to
 * `<name>.reached` first. It contains `kill` or `pause` (until SIGCONT is sent) and, if not for the first time, the
 * number of the time. Without the folder this is only a function call.
 */
export const failpoint: (name: Failpoint) => void = folder ? armedIn(folder) : () => {}

function armedIn(folder: string): (name: Failpoint) => void {
  const times = new Map<Failpoint, number>()
  return name => {
    const file = join(folder, name)
    try {
      const [how, nth = '1'] = readFileSync(file, 'utf8').trim().split(' ')
      times.set(name, (times.get(name) ?? 0) + 1)
      if (times.get(name)! < Number(nth)) return
      // Only one process succeeds in renaming it.
      renameSync(file, `${file}.reached`)
      process.kill(process.pid, how === 'pause' ? 'SIGSTOP' : 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
