import { readFileSync, writeFileSync } from 'node:fs'

/** An action in TypeScript that uses nothing but the two files of the protocol. */
interface Context {
  converged: { text: { measured: { lines: number; words: number } } }
}

const { SLUICE_STEP_CONTEXT: contextFile, SLUICE_STEP_RESULT: resultFile } = process.env
if (!contextFile || !resultFile) throw new Error('This is run by Sluice, as the action "density".')

const { converged }: Context = JSON.parse(readFileSync(contextFile, 'utf8'))
const { lines, words } = converged.text.measured
const value = words / lines
console.log(`${value} words in a line`)
const patch = [{ op: 'add', path: '/text/measured/density', value }]
writeFileSync(resultFile, JSON.stringify({ properties_diffs: { asset: patch } }))
