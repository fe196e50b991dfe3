/** Input and output of a rendering: texts only, because they go to another thread and back. */
export interface Rendering {
  readonly template: string
  /** Properties as JSON. */
  readonly properties: string
  /** Context as JSON. */
  readonly context: string
  /** Time limit. */
  readonly seconds: number
}

export type Rendered = { readonly logs: readonly LogLine[] } & (
  | {
      /** JSON: an object. */
      readonly data: string
    }
  /** Fault, with the template's line where that is known. */
  | { readonly error: string }
)

export interface LogLine {
  readonly category: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
}

/** Bytes of the interpreter's memory and of its stack, characters of the result, lines that a template may log. */
export const renderLimits = {
  memory: 268_435_456,
  stack: 262_144,
  result: 8_388_608,
  logLines: 1_000,
  logCharacters: 4_096,
} as const

export const modelFileName = 'model.json.erb'
