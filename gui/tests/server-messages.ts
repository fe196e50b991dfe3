/** Messages between a test and the program that runs its service. */

export type Command = 'kill' | 'start' | 'stop'
export type Report = { readonly address: string } | { readonly done: Command }
