/**
 * Protocol between runner and service: JSON messages over one WebSocket that the runner dials (`GET /runner/session`,
 * `Authorization: Bearer <runner secret>`), and two plain requests (`GET /runner/archive/<commit>` returns the commit's
 * tree as tar, `PUT /runner/artefacts/<step>/<attempt>/<name>` stores a file). This file is the only one that both
 * sides import. The service speaks this version and the one before. Version 3 added `mask`, version 4 `mask_texts`.
 */
export const protocolVersion = 4

/** One attempt of one step. The fence only grows; whatever comes under an older one is refused as `stale`. */
export interface Attempt {
  stepId: string
  attempt: number
  fence: number
}

export type Body = ScriptBody | ModuleBody

/** A script or program, ready to run: every value is filled in. None of the values passes through a shell parser. */
interface ScriptBody {
  /** The action's name, for the log. */
  action: string
  /** The script's text; written to a file that the interpreter gets as its last argument. */
  run: string
  /** The interpreter: `['bash', '-euo', 'pipefail']`, `['python3']`, … */
  interpreter: string[]
  env: Record<string, string>
}

/** A body that a program of the repository declares, as `action(…)` of `@sluice/actions`. */
interface ModuleBody {
  action: string
  /** The program's file, from the repository's root. */
  module: string
  /**
   * Whether only the actions are listed: nothing runs, and the actions that the program declares become the step's
   * output `actions`.
   */
  lists?: true
}

export interface FileToWrite {
  /** Relative to the working copy. */
  path: string
  /** Octal, such as `0600`. */
  mode?: string
  /** base64 of its bytes. */
  content: string
}

export interface StepToRun extends Attempt {
  /** Prerequisites in order, then the step's own body; the first that fails ends the step. */
  bodies: Body[]
  /** Folder of the repository in which they run (a template's folder; '' = the root). */
  folder: string
  /** Timeout in seconds for all bodies together; absent: none. After it SIGTERM is sent, and 10 s later SIGKILL. */
  timeoutSeconds?: number
  /** Content of step_context.json. */
  context: object
  files: FileToWrite[]
  env: Record<string, string>
  /** Values that must not be seen in any line: masked in every encoding. */
  secrets: string[]
  /** Value of SLUICE_API_TOKEN, valid for this attempt only. */
  apiToken: string
}

// From the service to the runner.

export interface Welcome {
  type: 'welcome'
  /** The number of this connection; the runner repeats it nowhere, but an older connection is closed by the service. */
  session: number
  /** Highest acknowledged sequence number: every numbered message up to it is stored, and the runner forgets them. */
  acked: number
  /**
   * Commit to make the working copy of. null: the runner is a spare, and receives its commit with `work` once it is
   * needed.
   */
  commit: string | null
  /** Base URL that steps get as SLUICE_API_URL. */
  apiUrl: string
  /** Attempts that the runner holds but the service has given up: to be stopped without a result. */
  drop: Attempt[]
}
/** Assigns work to a spare runner: from now on it works on this commit, and for nothing else. */
export interface Work {
  type: 'work'
  commit: string
  apiUrl: string
}
interface Run {
  type: 'run'
  step: StepToRun
}
interface Cancel extends Attempt {
  type: 'cancel'
  reason: string
}
/** Adds a secret to mask in the step's log. The step gets it once the runner has replied `masked`. */
export interface MaskSecret extends Attempt {
  type: 'mask'
  id: string
  secret: string
}
/** Asks for these texts as the step's log would show them, because the service is about to record them. */
export interface MaskTexts extends Attempt {
  type: 'mask_texts'
  id: string
  texts: string[]
}
interface Ack {
  type: 'ack'
  seq: number
}
/**
 * Tells the runner that there is no more work: it ends when nothing runs and everything is acknowledged. With `now` it
 * first stops all that runs.
 */
interface Stop {
  type: 'stop'
  now: boolean
}
/**
 * The lease is renewed, and that is committed. The runner counts its time from when it sent the message that this one
 * answers: a service process that has lost its database renews nothing, and must not keep a runner believing it does.
 */
interface Renewed {
  type: 'alive'
}
export type ToRunner = Welcome | Work | Run | Cancel | MaskSecret | MaskTexts | Ack | Stop | Renewed

// From the runner to the service. Messages with `seq` are kept on disk until acknowledged and sent again after a
// reconnection, in order, unchanged: (step, attempt, firstSeq) and (step, attempt, fence) make repeats harmless.

export interface Hello {
  type: 'hello'
  protocol: number
  runnerId: string
  pid: number
  /** Field 22 of /proc/<pid>/stat. */
  pidStarted: number
  host: string
  /** Attempts begun and not yet reported. */
  holding: Attempt[]
  /**
   * Attempts whose result is in the spool, unacknowledged. Attempts in neither list never arrived, and are sent again.
   */
  reported: Attempt[]
}
/**
 * Heartbeat that renews the runner's lease, every 5 s. At most one is unanswered: the next is sent after the response
 * to the last.
 */
export interface Alive {
  type: 'alive'
}
export const logCategories = ['stdout', 'stderr', 'action', 'runner'] as const
export type LogCategory = (typeof logCategories)[number]
/** Lines that came at once: how many, when (ISO 8601 UTC, microseconds), and from where. */
export type LogRun = [lines: number, at: string, category: LogCategory]
export interface LogChunk extends Attempt {
  type: 'log'
  seq: number
  /** Number of its first line within the attempt, from 1. At most 1,000 lines; never split differently on resending. */
  firstSeq: number
  /** Runs of the log; their lines together are the lines of `text`. */
  runs: LogRun[]
  /** Lines of the chunk, separated by LF. One text is written and read ten times as fast as a list of a thousand. */
  text: string
}
export interface Result extends Attempt {
  type: 'result'
  seq: number
  outcome: 'success' | 'error' | 'cancelled'
  exitCode: number | null
  errorMessage: string | null
  startedAt: string
  finishedAt: string
  /** RFC 6902 patches by owner: project, environment, template, template_version, asset, agent, change. */
  propertiesDiffs: Record<string, object[]>
  /** Child steps in the form of the `steps` of an actions.yaml: names of actions, stages, waits, inputs. */
  childSteps?: (string | object)[]
  childExecutionStrategy?: 'sequential' | 'parallel'
  replaceChildSteps?: boolean
  outputs?: Record<string, unknown>
  artefacts: { name: string; sha256: string; byteSize: number }[]
}
export type Numbered = LogChunk | Result
/** Confirms `mask`: no line written from now on shows the secret. */
export interface Masked {
  type: 'masked'
  id: string
}
/** Answer to `mask_texts`: the same texts in the same order, without the step's secrets. */
export interface MaskedTexts {
  type: 'masked_texts'
  id: string
  texts: string[]
}
export type FromRunner = Hello | Alive | Masked | MaskedTexts | Numbered

/** Header of the request that stores a file: base64url of its labels as JSON; absent for a file without labels. */
export const labelsHeader = 'sluice-labels'

/** Why the service closes a connection. Any other code, or none, means: dial again. */
export const closeCodes = {
  /** The runner has said everything and may end. */
  ended: 4000,
  /** The service has given the runner up: it kills what it runs and ends. */
  gone: 4001,
  /** A newer connection of the same runner has taken over. */
  superseded: 4002,
  /** A message that this version does not understand. */
  misunderstood: 4003,
} as const

/** Environment that the service gives to a runner it starts. Nothing else of the service's environment reaches it. */
export const runnerEnvironment = {
  /**
   * Id of the runner, also in the environment of everything that the runner starts: the mark by which the reaper finds
   * leftover processes.
   */
  id: 'SLUICE_RUNNER_ID',
  serviceUrl: 'SLUICE_RUNNER_URL',
  folder: 'SLUICE_RUNNER_FOLDER',
} as const

/**
 * One line of JSON on the runner's standard input: data that must be neither in its arguments nor in its environment.
 */
export interface RunnerStart {
  secret: string
  /** Names the machine and its boot: what a process number means is known only there. Repeated in hello. */
  host: string
  /** The user that steps run as, when the service is root. Without one: the runner's own. */
  runAs?: { name: string; uid: number; gid: number }
  /** Seconds without contact to the service after which its steps are stopped. */
  silenceSeconds: number
  /** Steps run inside bubblewrap where it is installed and works. */
  sandbox: boolean
  /** Folders that a sandboxed step does not see: the service's data. */
  hide: string[]
  /**
   * Files in which a service process announces its address: one that takes this runner over, and the one that started it,
   * which may come back on another address. A file that does not exist is skipped.
   */
  addressFiles: string[]
  /** npm-cli.js, where there is npm that the user of the steps can read. */
  npm?: string
  /** The user that prepares what runners of different changes share, when the service is root. */
  prepareAs?: { name: string; uid: number; gid: number }
  /**
   * Folder in which runners store npm dependencies for one another, which belongs to the service's user alone. The key
   * is for the names of its files: without it they reveal nothing.
   */
  dependencies?: { folder: string; key: string }
  /**
   * Folder in which runners store large trees of commits for one another, as archives or unpacked by `prepareAs`.
   * Without, nothing is shared.
   */
  trees?: string
  /**
   * Node and the runner's programs as JavaScript, where the user of the steps reaches them. Without: as they are here.
   */
  program?: { node: string; folder: string }
}

/**
 * Header of the 503 that a service answers to a runner while it starts. `renewed` counts as contact: the service has
 * renewed the runner's lease, or its steps cannot have been given away because the database starts with this service.
 */
export const leaseHeader = 'sluice-lease'

/** Path of the WebSocket that a runner opens. */
export const runnerSocketPath = '/runner/session'

export const limits = {
  linesInChunk: 1_000,
  chunkMilliseconds: 250,
  /** Maximum size of a chunk in bytes, so that one of long lines stays a message of bearable size. */
  chunkBytes: 1_048_576,
  lineBytes: 1_048_576,
  resultBytes: 16 * 1_048_576,
  artefactBytes: 256 * 1_048_576,
  /** Maximum length of an artefact's path below the folder of artefacts. */
  artefactNameBytes: 1_024,
  messageBytes: 64 * 1_048_576,
  unacknowledgedBytes: 8 * 1_048_576,
  /** Part of these that is sent; the rest waits in the runner, because a service listens to many runners. */
  underWayBytes: 2 * 1_048_576,
  aliveMilliseconds: 5_000,
  /** A runner that has stopped its steps ends this much later, also with unsent messages: these stay on the disk. */
  orphanedMilliseconds: 600_000,
  killAfterMilliseconds: 10_000,
} as const
