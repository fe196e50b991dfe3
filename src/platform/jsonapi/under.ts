import { type Sql, sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import type { Resource } from './resource.ts'

/**
 * The named filter `under`: records of a node and of everything below it.
 *
 * @param path the path of the record's node, with an index that begins with it
 * @param within a condition that all records below a path meet, with an index that has their order
 */
export const underNode = (path: Sql, within?: (path: string) => Sql<boolean>): NonNullable<Resource['named']> => ({
  under: {
    describe: 'Those of the node with this path, such as /projects/bank, and of everything below it.',
    sql: value => {
      if (!nodePath.test(value))
        throw failure(
          'wrong-kind',
          'The value is the path of a node, such as /projects/bank or /projects/bank/environments/test.',
        )
      return isUnder(path, value)
    },
    sought: value => ({ order: path, ranges: rangesUnder(path, value), ...(within && { within: within(value) }) }),
  },
})

const code = '[A-Za-z0-9_-]+'
const nodePath = new RegExp(
  `^/projects/${code}(?:/environments/${code}(?:/assets/${code})?|/assets/${code}|/agents/${code})?$`,
)

export const isUnder = (path: Sql, node: string): Sql<boolean> =>
  sql<boolean>`(${sql.join(rangesUnder(path, node), sql` or `)})`

/**
 * Conditions of a node and the paths below it. Two ranges, because `-` sorts before `/`: the siblings `web-1`, `web-2`
 * … of `web` sort between it and the paths below it.
 */
const rangesUnder = (path: Sql, node: string): readonly Sql<boolean>[] => [
  sql<boolean>`${path} = ${node}`,
  sql<boolean>`(${path} >= ${`${node}/`} and ${path} < ${`${node}0`})`,
]
