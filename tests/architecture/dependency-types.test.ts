import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/database-server.ts'
import { wholeParts } from './dependency-types.ts'

test('all dependencies of a domain are passed to its door only', () => {
  const files = globSync('src/domain/**/*.ts', { cwd: projectFolder, exclude: ['**/*.test.ts'] })
  const sources = new Map(files.map(file => [file, readFileSync(join(projectFolder, file), 'utf8')]))
  assert.deepEqual(wholeParts(sources), [])
})

const port = `
export interface SailParts { readonly a: A; readonly b: B; readonly c: C; readonly d: D; readonly e: E }
export interface SeaParts extends SailParts, Pick<Runtime, 'record'> { readonly f: F; log(): void }
`

const doors = `
export const seaDomain = (parts: SeaParts, engine: Engine): Domain => ({ commands: boatCommands(parts) })
export function harbour({ a, ...parts }: SeaParts): Harbour { return open(a, parts) }
`

const lists = `
export const boatCommands = (parts: SeaParts): AnyCommand[] => [sail(parts)]
export function boatJobs(parts: SeaParts): readonly Job[] { return [job(parts)] }
`

const sparing = `
type Both = SailParts & Pick<SeaParts, 'f' | 'log'>
export const sail = (parts: Pick<SeaParts, 'a' | 'b'>, { c }: SailParts, d: SeaParts['d']) => parts
export function row(parts: Omit<SeaParts, 'a'>, both: SailParts & { readonly f: F }): Both { return both }
`

const greedy = `
type AllParts = SailParts & Pick<SeaParts, 'record' | 'f' | 'log'>
interface Voyage { readonly parts: SeaParts }
export interface CrewParts { readonly sea: SeaParts }
export async function sail(tx: Tx, parts: SeaParts): Promise<void> {}
export const row = ({ a }: SeaParts) => a
const drift = (parts: AllParts) => parts
const turn = (parts: SailParts & Pick<SeaParts, 'record' | 'f' | 'log'>) => parts
const stop = (parts: Pick<SeaParts, 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'record' | 'log'>) => parts
export const anchor = (depth: number) => (parts: Readonly<SeaParts>) => parts
class Boat { constructor(parts: SeaParts) {} }
`

test('a function or type that takes all dependencies is found, whatever they are called there', () => {
  const sources = new Map([
    ['src/domain/sea/parts.port.ts', port],
    ['src/domain/sea/index.ts', doors],
    ['src/domain/sea/boat.commands.ts', lists],
    ['src/domain/sea/boat.tx.ts', sparing],
  ])
  assert.deepEqual(wholeParts(sources), [])
  sources.set('src/domain/sea/index.ts', 'const inner = (parts: SeaParts): Domain => parts')
  sources.set('src/domain/sea/boat.jobs.ts', 'export const job = (parts: SeaParts): Job => parts')
  sources.set('src/domain/sea/boat.tx.ts', greedy)
  sources.set('src/domain/sea/boat.commands.ts', 'export const all = (): AnyCommand[] => [(parts: SeaParts) => 1]')
  sources.set('src/domain/sea/boat.views.ts', 'const views = (parts: SeaParts): AnyView[] => []')
  assert.deepEqual(wholeParts(sources).toSorted(), [
    'src/domain/sea/boat.commands.ts: all takes 8 of SeaParts',
    'src/domain/sea/boat.jobs.ts: job takes 8 of SeaParts',
    'src/domain/sea/boat.tx.ts: Boat takes 8 of SeaParts',
    'src/domain/sea/boat.tx.ts: CrewParts takes 8 of SeaParts',
    'src/domain/sea/boat.tx.ts: Voyage takes 8 of SeaParts',
    'src/domain/sea/boat.tx.ts: anchor takes 8 of Readonly<SeaParts>',
    'src/domain/sea/boat.tx.ts: drift takes 8 of AllParts',
    'src/domain/sea/boat.tx.ts: row takes 8 of SeaParts',
    'src/domain/sea/boat.tx.ts: sail takes 8 of SeaParts',
    'src/domain/sea/boat.tx.ts: stop takes 8 of Pick<SeaParts>',
    'src/domain/sea/boat.tx.ts: turn takes 8 of SailParts & Pick<SeaParts>',
    'src/domain/sea/boat.views.ts: views takes 8 of SeaParts',
    'src/domain/sea/index.ts: inner takes 8 of SeaParts',
  ])
})
