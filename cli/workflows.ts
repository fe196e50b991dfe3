import type { Workflow } from '../client/generated/api.ts'
import { Refused, type Resource } from '../client/sluice.ts'
import { split } from './attributes.ts'
import { withValues } from './changes.ts'
import { readInput } from './input.ts'
import { documentText, recordText } from './output.ts'
import { projectPath } from './place.ts'
import { plainLine, plainText } from './plain-text.ts'
import { kindNamed } from './record-kinds.ts'
import { expectUnreadOutput, type Terminal } from './terminal.ts'

interface ShownStep {
  readonly type: string
  readonly name: string
  readonly targets?: readonly string[]
  readonly children?: readonly ShownStep[]
}

/**
 * Validates a workflow file and prints its steps, or its errors in the format of compilers, `file:line:column: message`,
 * which editors can jump to.
 *
 * @returns the exit status
 */
export async function validateWorkflow(
  terminal: Terminal,
  project: string,
  { file, property }: { file: string; property?: string[] },
): Promise<number> {
  expectUnreadOutput()
  const attributes = { source_yaml: readInput(file), ...withValues('property_overrides', property, split) }
  try {
    const answer = await terminal.sluice.send('POST', `${projectPath(project)}/workflows/validate`, {
      data: { attributes },
    })
    const { steps } = (answer!.data as Resource<{ steps: readonly ShownStep[] }>).attributes
    if (terminal.format === 'json' || terminal.format === 'yaml') terminal.write(documentText(answer!, terminal.format))
    else terminal.write(treeLines(steps).map(plainLine).join('\n').concat('\n'))
    return 0
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const placed = error.faults.map(({ meta }) => placeOf(meta)).filter(place => place !== undefined)
    if (placed.length === 0) throw error
    const name = file === '-' ? 'stdin' : file
    for (const { line, column, message } of placed) terminal.write(plainText(`${name}:${line}:${column}: ${message}\n`))
    return 1
  }
}

/** Publishes a version, by default the latest. */
export async function publishWorkflow(
  terminal: Terminal,
  project: string,
  code: string,
  version: string | undefined,
): Promise<void> {
  const path = `${projectPath(project)}/workflows/${encodeURIComponent(code)}`
  const newest = async () =>
    ((await terminal.sluice.send('GET', path))!.data as Resource<Workflow>).attributes.latest_version
  const number = version ?? (await newest())
  const answer = await terminal.sluice.send('POST', `${path}/versions/${encodeURIComponent(String(number))}/publish`)
  terminal.write(recordText(kindNamed('workflow_version'), answer!.data as Resource, terminal))
}

function treeLines(steps: readonly ShownStep[], depth = 0): string[] {
  return steps.flatMap(({ type, name, targets = [], children = [] }) => {
    const on = targets.length > 0 ? `  ${targets.join(' ')}` : ''
    return [`${'  '.repeat(depth)}${type}: ${name}${on}`, ...treeLines(children, depth + 1)]
  })
}

function placeOf(meta: Readonly<Record<string, unknown>> | undefined) {
  const { line, column, message } = meta ?? {}
  return typeof line === 'number' && typeof column === 'number' && typeof message === 'string'
    ? { line, column, message }
    : undefined
}
