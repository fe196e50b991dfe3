import { parseDocument, stringify } from 'yaml'
import { parseWorkflow } from '#authoring/workflows/read-workflow.ts'
import { print, round, timed } from './report.ts'

/**
 * Sources of workflows of 1 MiB: as people write them, and with the maximum number of tokens, which are refused before
 * they are read. Compared with the time that the library takes to read the first.
 */
const most = 1_048_576
const filled = (head: string, piece: string, tail = '') =>
  head + piece.repeat(Math.floor((most - head.length - tail.length) / piece.length)) + tail
const steps = Array.from({ length: 10_000 }, (_, at) => ({
  target: `environments/live/assets/front-${at}`,
  action: 'deploy',
  name: `no. ${at}`,
  run_as: 'parallel',
}))
const usual = stringify({ steps }, { indent: 1 })
const others: Readonly<Record<string, string>> = {
  'as many empty items as there is room for': filled('steps:\n', '-\n'),
  'as many words in a list': filled('steps: [', 'a,', ']'),
  'as many nested lists': filled('steps: ', '['),
  'as many faults': filled('steps:\n', '- @\n'),
  'as many tabs': filled('steps:\n', '\t- a\n'),
  'as many documents': filled('steps: []\n', '---\n'),
  'as many empty items as are read': `steps:\n${'-\n'.repeat(190_000)}`,
}

const floor = await timed(() => parseDocument(usual))
const usualMs = await timed(() => parseWorkflow(usual))
const figures: Record<string, number> = {}
for (const [name, source] of Object.entries(others)) figures[name] = round(await timed(() => parseWorkflow(source)))

await print({
  bench: 'workflow-sources',
  figures: { 'ten thousand steps': round(usualMs), ...figures },
  floors: { 'ten thousand steps, by the library': round(floor) },
  targets: {
    stepsByTheLibrary: { value: usualMs / floor, atMost: 3 },
    worstBySteps: { value: Math.max(...Object.values(figures)) / usualMs, atMost: 3 },
  },
})
