import { after, test } from 'node:test'
import { happens } from './history.ts'
import { ApprovalWorld } from './world.ts'

const world = await ApprovalWorld.open()
after(() => world.runs.stop())

/** For whoever has changed what approvals do and wants thousands, of other seeds; a history that failed alone, by its own. */
const histories = Number(process.env['SLUICE_HISTORIES'] ?? 6)
const seed = Number(process.env['SLUICE_SEED'] ?? 1)

test('who may decide on a step, what becomes of it and who is waited for is what the specification makes of rules and people', async () => {
  for (let at = 0; at < histories; at += 1) await happens(world, seed + at, 25)
})
