import { after, test } from 'node:test'
import { happens } from './history.ts'
import { ApprovalWorld } from './world.ts'

const world = await ApprovalWorld.open()
after(() => world.runs.stop())

/** Options for developers of approvals: thousands of histories, other seeds, or a single failed one by its seed. */
const histories = Number(process.env['SLUICE_HISTORIES'] ?? 6)
const seed = Number(process.env['SLUICE_SEED'] ?? 1)

test('who may decide on a step, what becomes of it and who is waited for is what the specification makes of rules and people', async () => {
  for (let at = 0; at < histories; at += 1) await happens(world, seed + at, 25)
})
