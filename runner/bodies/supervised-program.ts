import type { Socket } from 'node:net'
import type { User } from '../sandbox/processes.ts'
import type { Intake, Output } from './body-output.ts'

export interface SupervisorPlace {
  /** Node and the folder of the runner's programs, as the user of the steps can reach them. */
  node: string
  program: string
  /** Extension of the programs' files: `.ts` or `.js`. */
  suffix: string
  /** The folder that steps work in. */
  work: string
  runAs?: User
  /** Environment of everything that is started. */
  env: Record<string, string>
  /** The beginning of a command that runs its arguments in bubblewrap; empty without. */
  sandbox: readonly string[]
  intake: Intake
}

/** A program and all that it gets. */
export interface Program {
  argv: string[]
  cwd: string
  env: Record<string, string>
  /** Files that the supervisor prepares: the step's folder, by its name. `folder` is the repository's, for messages. */
  prepare?: { step: string; context: string; script: string; folder: string }
}

/** End of a program. */
export interface End {
  code: number | null
  signal: string | null
  /** Better words for it than the code. */
  why?: string
  /** Whether nothing that it started is left. */
  alone: boolean
  /** Whether its process has prepared the step's folder, found nothing else in it, and keeps it for its next step. */
  folderKept?: boolean
}

/** Root process of everything that a body starts. */
export interface Root {
  pid: number
  started: number
}

/** Supervisor process whose children are programs, one after the other. */
export interface ProcessSupervisor {
  readonly root: Root
  /** Output of the program; available once one runs. */
  readonly output: Output
  /** The descriptor 5 of the program, when it was started with more. */
  readonly messages: Socket
  /** Whether it may run another program. */
  readonly usable: boolean
  /** Runs one program at a time. Resolves with the end of the program itself. */
  run(program: Program): Promise<End>
  /**
   * Lets what the last program has left live on (in a sandbox it ends with it); this supervisor cannot be used
   * afterwards.
   */
  leave(): void
}
