import type { Command } from 'commander'

/** Parser for an option that may be repeated; collects all values. */
export const repeatable = (value: string, before: string[] = []): string[] => [...before, value]

/** Adds the options of every list command. */
export const listOptions = (command: Command): Command =>
  command
    .option(
      '--filter <name=value>',
      'filter by predicate (name_cont=web, status_code_eq=error) or by name (active)',
      repeatable,
    )
    .option('--any', 'match records that satisfy at least one of the filters')
    .option('--sort <attribute>', 'sort ascending; -attribute sorts descending', repeatable)
    .option('--limit <number>', 'maximum number of records')
    .option('--all', 'fetch every page')
    .option('--columns <names>', 'comma-separated attributes to show')
    .option('--here', 'only records of the project or environment itself, not of the nodes below it')
    .option('--query <name=value>', 'additional query parameter', repeatable)
