/** Messages between a test and the program that runs its service. */

/** lose runners: ends the runners of all activities as a crash would. */
export type Command = 'kill' | 'lose runners' | 'run agents' | 'start' | 'stop'
export type Report = { readonly address: string } | { readonly done: Command }
