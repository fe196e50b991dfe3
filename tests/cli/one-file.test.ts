import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { runProgram } from './command-line.ts'

const cli = join(import.meta.dirname, '../../cli')
let folder: string
let file: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-one-file-'))
  file = join(folder, 'sluice.cjs')
  const built = await runProgram(process.execPath, [join(cli, 'build.mjs'), file], { env: { ...process.env } as never })
  assert.equal(built.status, 0, built.stderr)
})
after(() => rm(folder, { recursive: true, force: true }))

// The machine's own Node, which may be as old as 20, and not the one that the project installed.
const machinesPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter(each => !each.includes('.local'))
  .join(delimiter)

for (const [whose, command] of [
  ["the project's", process.execPath],
  ["the machine's", 'node'],
] as const)
  test(`the built file runs by itself, away from the project, on ${whose} Node`, async () => {
    const env = { PATH: machinesPath, HOME: folder }
    const types = await runProgram(command, [file, 'types'], { cwd: folder, env })
    assert.equal(types.stderr, '')
    assert.match(types.stdout, /^projects +list show create update archive /m)
    const version = await runProgram(command, [file, '--version'], { cwd: folder, env })
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
    const nobody = await runProgram(command, [file, 'list', 'projects'], { cwd: folder, env })
    assert.equal(nobody.status, 1)
    assert.match(nobody.stderr, /Sign in first/)
  })

test('in a checkout bin/sluice runs the sources, from any folder', async () => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder }
  const ran = await runProgram(join(cli, '../bin/sluice'), ['types'], { cwd: folder, env })
  assert.deepEqual([ran.status, ran.stderr], [0, ''])
  assert.match(ran.stdout, /^changes +list show create cancel /m)
})
