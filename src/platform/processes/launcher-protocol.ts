/** Protocol between the service and its launcher (`launcher.adapter.ts`). */

export interface ToLaunch {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** All of it: nothing comes from the service's own. */
  readonly env: Readonly<Record<string, string>>
  /** The user it runs as; without, the service's own. */
  readonly as?: { readonly uid: number; readonly gid: number } | undefined
  /**
   * Content of its standard input, which is neither in its arguments nor in its environment, where others could read
   * it.
   */
  readonly input?: string
}

/** With `output`, a file that its output is appended to, it is left to itself; without, it is waited for. */
export interface Order {
  readonly number: number
  readonly what: ToLaunch & { readonly output?: string }
}

/** `output`: all that it wrote to both of its outputs. */
export interface ProgramEnd {
  readonly code: number | null
  readonly output: string
}

export type Told = { readonly number: number } & (
  | { readonly pid: number }
  | { readonly end: ProgramEnd }
  | { readonly failed: string }
)
