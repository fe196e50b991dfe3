import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { activityLife, stepLife } from '../src/domain/steps/index.ts'
import { type Lifecycle, statesOf, toMermaid } from '../src/platform/lifecycle/lifecycle.ts'

/** docs/lifecycle.md generated from the state tables. `node bin/lifecycle-docs.ts` writes it; a test compares it. */
export const lifecycleFile = join(import.meta.dirname, '../docs/lifecycle.md')

export function lifecycleDocs(): string {
  return `<!-- Made by bin/lifecycle-docs.ts from the lifecycle tables; edit those. -->
# Lifecycles

Changes and workflow runs are activities: trees of steps. Activities and steps have the same set of states, and a table of
transitions each. All changes of a status follow these tables.

In addition to its status, a step has a body state: none (a group), open, done or failed. A step keeps running after its body
has ended until all its children have ended; only then is it final.

${section('Activities', activityLife as Lifecycle<string, string>)}
${section('Steps', stepLife as Lifecycle<string, string>)}`
}

function section(title: string, life: Lifecycle<string, string>): string {
  const states = statesOf(life).map(state => {
    const { why, final } = life.states[state]!
    return `| ${state} | ${why}${final ? '; final' : ''} |`
  })
  const moves = Object.entries(life.moves).map(
    ([name, move]) => `| ${name} | ${move.from.join(', ')} | ${move.to} | ${move.why} | ${move.event ?? '–'} |`,
  )
  return `## ${title}

| state | meaning |
|---|---|
${states.join('\n')}

| transition | from | to | reason | event |
|---|---|---|---|---|
${moves.join('\n')}

\`\`\`mermaid
${toMermaid(life)}
\`\`\`
`
}

if (process.argv[1] === import.meta.filename) writeFileSync(lifecycleFile, lifecycleDocs())
