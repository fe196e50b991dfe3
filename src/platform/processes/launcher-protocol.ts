/** Protocol between the service and its launcher (`launcher.adapter.ts`). */

export interface ToLaunch {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Complete environment: nothing is inherited from the service. */
  readonly env: Readonly<Record<string, string>>
  /** The user that the program runs as; absent: the service's own. */
  readonly as?: { readonly uid: number; readonly gid: number } | undefined
  /** Content of its standard input: neither in its arguments nor in its environment, where others could read it. */
  readonly input?: string
}

/**
 * Request to start a program. With `output`, a file to append its output to, it runs detached; without, its end is
 * awaited.
 */
export interface Order {
  readonly number: number
  readonly what: ToLaunch & { readonly output?: string }
}

/** `output`: all of its standard output and standard error. */
export interface ProgramEnd {
  readonly code: number | null
  readonly output: string
}

export type LauncherReply = { readonly number: number } & (
  | { readonly pid: number }
  | { readonly end: ProgramEnd }
  | { readonly failed: string }
)
