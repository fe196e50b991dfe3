/** Messages between a test and the program that runs its service. */

/**
 * `lose runners` ends the runners of all activities as a crash would; `make X` creates the project `bank-X` with its
 * users `ann-X` and `bob-X`.
 */
export type Command = 'kill' | 'lose runners' | 'run agents' | 'start' | 'stop' | `make ${string}`
export type Report = { readonly address: string } | { readonly done: Command }
