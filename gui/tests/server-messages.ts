/** Messages between a test and the program that runs its service. */

export type Command = 'kill' | 'run agents' | 'start' | 'stop'
export type Report = { readonly address: string } | { readonly done: Command }
