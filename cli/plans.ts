import { documentText } from './output.ts'
import { type Plan, planText } from './plan-text.ts'
import type { Terminal } from './terminal.ts'

/** Request to create a change or a workflow run. */
interface Creation {
  readonly path: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: object
}

/** Prints the plan of a change or a workflow run without creating it; JSON and YAML have everything that the plan says. */
export async function printPlan(terminal: Terminal, { path, ...data }: Creation): Promise<void> {
  const document = (await terminal.sluice.send('POST', path, { data: { ...data, meta: { plan: true } } }))!
  const { format, screen } = terminal
  if (format === 'table')
    terminal.write(planText((document.data as unknown as { attributes: Plan }).attributes, screen))
  else terminal.write(documentText(document, format === 'json' ? 'json' : 'yaml'))
}
