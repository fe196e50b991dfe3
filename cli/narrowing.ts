import type { Command } from 'commander'

/** An option that may be given again and again: all that was given. */
export const several = (value: string, before: string[] = []): string[] => [...before, value]

/** What every list takes. */
export const narrowing = (command: Command): Command =>
  command
    .option('--filter <name=value>', 'as name_cont=web or status_code_eq=error; or a named filter: active', several)
    .option('--any', 'one of the filters is enough')
    .option('--sort <attribute>', 'upwards; -attribute sorts downwards', several)
    .option('--limit <number>', 'at most so many')
    .option('--all', 'all of them, page by page')
    .option('--columns <names>', 'these attributes, with commas')
    .option('--here', 'of a project or environment: only its own, not those of what lies beneath it')
    .option('--query <name=value>', 'a parameter of its own', several)
