import type { Step } from './step.ts'

export type ActionBody = (step: Step) => unknown

/** A place in a file, from 1. */
export interface Place {
  readonly url: string
  readonly line: number
  readonly column: number
}

/** A declared action of the program. */
export interface Declared {
  readonly name: string
  /** Declaration in the form of an actions.yaml. */
  readonly entry: object
  readonly body: ActionBody | undefined
  readonly at: Place | undefined
}

let loading: Declared[] | undefined

export function declare(declared: Declared): void {
  if (!loading) throw new Error(`action("${declared.name}"): actions are declared while their file is loaded.`)
  loading.push(declared)
}

/** Everything that is declared while `load` runs. For the runner. */
export async function declaredWhile(load: () => Promise<unknown>): Promise<Declared[]> {
  const declared: Declared[] = []
  loading = declared
  try {
    await load()
    return declared
  } finally {
    loading = undefined
  }
}
