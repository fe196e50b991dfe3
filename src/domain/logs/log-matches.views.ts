import Type from 'typebox'
import { type AnyView, view } from '#platform/domain.ts'
import { Failure, failure } from '#platform/failure.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { listTransaction } from '#platform/jsonapi/too-slow.ts'
import type { ViewContext } from '#platform/view-context.ts'
import type { LinesSought } from './log-matches.store.ts'
import { findMatches, runStepsOf } from './log-matches.tx.ts'
import type { LogOwners } from './log-owners.port.ts'
import { logOf, type OwnerOfLog, ownerOfLog, readableLogs } from './readable-logs.tx.ts'

const mostMatches = 10_000

const match = Type.Object({
  line: Type.Integer({ description: 'Index of the line in the log, as `GET …/log` counts it.' }),
  step_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'The step that wrote the line; null: Sluice, for the whole activity.',
  }),
  step_line: Type.Integer({ description: 'Index of the line in the log of that step.' }),
  workflow_step_id: Type.Optional(
    Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description:
        'In the log of a run: the step of the run that the line is due to, because it wrote the line or made what did; null: the run as a whole.',
    }),
  ),
  workflow_step_line: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { description: 'Index of the line in the log of that step of the run.' }),
  ),
  from: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Offset of the first match in the line, in Unicode characters; null in a search for errors alone.',
  }),
  to: Type.Union([Type.Integer(), Type.Null()], { description: 'Offset behind the last character of that match.' }),
})

/** Search in a log: which lines match, without their text. */
export const logMatchesViews = (owners: LogOwners, lineResource: Resource): AnyView[] =>
  readableLogs(owners).map(log =>
    view<OwnerOfLog>({
      name: `${log.name}.log_matches`,
      summary: `Lines that match, in the log of ${log.of}`,
      describe: `Which lines contain a text, match a regular expression or were written to stderr, with the place of the first match in each, in the order of the log and ${mostMatches.toLocaleString('en')} at most. \`meta.total\` is their number, and \`meta.total_exact\` whether there are no more. Letters match in either case. A search that takes longer than 5 s is refused.`,
      method: 'GET',
      paths: [`${log.path}/log/matches`],
      parameters: {
        query: {
          schema: Type.String({ minLength: 1, maxLength: 1_000 }),
          describe: 'Text that the lines contain.',
        },
        regexp: {
          schema: Type.String({ minLength: 1, maxLength: 1_000 }),
          describe: 'Regular expression that the lines match, instead of `query`, in the syntax of PostgreSQL.',
        },
        errors: { schema: Type.Boolean(), describe: 'Whether only lines written to stderr are searched.' },
        ...log.parameters,
      },
      answer: Type.Object({
        data: Type.Object({
          id: Type.String({ format: 'uuid' }),
          type: Type.Literal('log_matches'),
          attributes: Type.Object({ matches: Type.Array(match) }),
        }),
        links: Type.Object({ self: Type.String() }),
        meta: Type.Object({ total: Type.Integer(), total_exact: Type.Boolean() }),
      }),
      find: context => ownerOfLog(log, context),
      needs: ({ readPath }) => [{ right: 'read', path: readPath }],
      run: async (owner, context) => {
        const sought = soughtIn(context.query)
        const matches = await inTime(() =>
          context.database.transaction(async tx => {
            const runStepOf = log.runOf && (await runStepsOf(tx, log.runOf(owner)))
            const most = { limit: mostMatches + 1, runStepOf }
            return findMatches(tx, logOf(lineResource, log, owner, context), sought, most)
          }, listTransaction),
        )
        const shown = matches
          .slice(0, mostMatches)
          .map(({ line, stepLine, ofRunStep, found: { activity_id, writer_id, from, to } }) => ({
            line,
            step_id: writer_id === activity_id ? null : writer_id,
            step_line: stepLine,
            ...(log.runOf && { workflow_step_id: ofRunStep?.id ?? null, workflow_step_line: ofRunStep?.line ?? null }),
            from,
            to,
          }))
        return {
          body: {
            data: { id: owner.id, type: 'log_matches', attributes: { matches: shown } },
            links: { self: `${log.path.replace(':id', owner.id)}/log/matches` },
            meta: { total: shown.length, total_exact: matches.length <= mostMatches },
          },
        }
      },
    }),
  )

function soughtIn({ query, regexp, errors }: ViewContext['query']): LinesSought {
  const isForErrors = errors === 'true'
  if (query !== undefined && regexp !== undefined) throw wrong('regexp', 'Use either query or regexp, not both.')
  if (query === undefined && regexp === undefined && !isForErrors)
    throw new Failure([
      { code: 'missing-parameter', detail: 'Give query, regexp or errors=true.', source: { parameter: 'query' } },
    ])
  return {
    ...(query !== undefined && { text: String(query) }),
    ...(regexp !== undefined && { regexp: String(regexp) }),
    ...(isForErrors && { errors: true }),
  }
}

const wrong = (parameter: string, detail: string): Failure =>
  new Failure([{ code: 'wrong-kind', detail, source: { parameter } }])

/** SQLSTATEs of an invalid regular expression, and of a statement that was cancelled at its deadline. */
const [invalidRegexp, cancelled] = ['2201B', '57014']

async function inTime<Result>(search: () => Promise<Result>): Promise<Result> {
  try {
    return await search()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === invalidRegexp)
      throw wrong('regexp', `regexp should be a regular expression of PostgreSQL: ${message.replace(/^.*: /, '')}.`)
    if (code !== cancelled) throw error
    const seconds = listTransaction.statementTimeout / 1_000
    const detail = `The search took longer than its ${seconds} s. Search the log of one step, or a simpler expression.`
    throw failure('query-too-slow', detail)
  }
}
