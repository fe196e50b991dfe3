/**
 * A lifecycle is one table: the states, and the moves between them. Everything else is derived from it: the types, the
 * moves that `transition` may write, the CHECK constraint that a test compares, `meta.can`, and docs/lifecycle.md.
 */
export interface Move<State extends string> {
  readonly from: readonly State[]
  readonly to: State
  readonly why: string
  /** Last segment of the audit event that the move records; absent for a move without an event. */
  readonly event?: string
}

export interface Lifecycle<State extends string, MoveName extends string> {
  readonly states: Readonly<Record<State, { readonly why: string; readonly final?: true }>>
  readonly moves: Readonly<Record<MoveName, Move<State>>>
}

export function lifecycle<const State extends string, const MoveName extends string>(
  states: Record<State, { why: string; final?: true }>,
  moves: Record<MoveName, Move<NoInfer<State>>>,
): Lifecycle<State, MoveName> {
  return { states, moves }
}

export type StateOf<L> = L extends Lifecycle<infer State, string> ? State : never
export type MoveOf<L> = L extends Lifecycle<string, infer MoveName> ? MoveName : never

const keys = <K extends string>(record: Readonly<Record<K, unknown>>) => Object.keys(record) as K[]

export const statesOf = <S extends string, M extends string>(life: Lifecycle<S, M>): S[] => keys(life.states)

export const finalStatesOf = <S extends string, M extends string>(life: Lifecycle<S, M>): S[] =>
  statesOf(life).filter(state => isFinal(life, state))

export const isFinal = <S extends string, M extends string>(life: Lifecycle<S, M>, state: S): boolean =>
  life.states[state].final === true

/** The moves open from a state. */
export const movesFrom = <S extends string, M extends string>(life: Lifecycle<S, M>, state: S): M[] =>
  keys(life.moves).filter(move => life.moves[move].from.includes(state))

/**
 * State after several moves in a row, for one statement that queues and claims a step at once.
 *
 * @throws if a move is not in the table: a bug of the caller.
 */
export function follow<S extends string, M extends string>(life: Lifecycle<S, M>, from: S, path: readonly M[]): S {
  return path.reduce<S>((state, move) => {
    if (!life.moves[move].from.includes(state)) throw new Error(`no move "${move}" from ${state}`)
    return life.moves[move].to
  }, from)
}

/** The diagram of docs/lifecycle.md. */
export function toMermaid<S extends string, M extends string>(life: Lifecycle<S, M>): string {
  const arrows = keys(life.moves).flatMap(move =>
    life.moves[move].from.map(from => `  ${from} --> ${life.moves[move].to}: ${move}`),
  )
  const ends = finalStatesOf(life).map(state => `  ${state} --> [*]`)
  return ['stateDiagram-v2', ...arrows, ...ends].join('\n')
}
