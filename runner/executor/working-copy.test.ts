import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { Header } from 'tar'
import { rehearseUnpacking, unpack, whyRefused } from './working-copy.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-unpack-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('entries that lie or point outside of the repository are refused, others are not', () => {
  const file = (path: string) => whyRefused({ path, type: 'File' })
  const link = (path: string, linkpath: string, type = 'SymbolicLink') => whyRefused({ path, type, linkpath })
  assert.equal(file('a/b'), undefined)
  assert.equal(link('a/b/c', '../../d'), undefined)
  assert.match(file('/etc/passwd')!, /outside of the repository/)
  assert.match(file('a/../../b')!, /outside/)
  assert.match(link('a/b', '../../c')!, /a\/b is a link to \.\.\/\.\.\/c, outside/)
  assert.match(link('a', '/etc/passwd')!, /outside/)
  assert.match(link('a', '../b', 'Link')!, /outside/)
  assert.match(whyRefused({ path: 'dev', type: 'CharacterDevice' })!, /CharacterDevice/)
})

/** Archive as an attacker writes it. */
function archive(
  entries: { path: string; type: 'File' | 'SymbolicLink'; linkpath?: string; text?: string; mode?: number }[],
): Readable {
  const blocks = entries.flatMap(({ text = '', mode = 0o644, ...entry }) => {
    const header = new Header({ ...entry, mode, size: Buffer.byteLength(text), mtime: new Date(0) })
    header.encode()
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    body.write(text)
    return [header.block!, body]
  })
  return Readable.from(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

test('a commit is unpacked anew where an executor died that had just unpacked it', async () => {
  for (const text of ['first', 'second'])
    await unpack(archive([{ path: 'a', type: 'File', text }]), join(folder, 'anew'))
  assert.equal(readFileSync(join(folder, 'anew/a'), 'utf8'), 'second')
})

test('a commit is unpacked with its contents and modes', async () => {
  const target = join(folder, 'good')
  await unpack(
    archive([
      { path: 'bin/run', type: 'File', text: 'echo', mode: 0o755 },
      { path: 'link', type: 'SymbolicLink', linkpath: 'bin/run' },
    ]),
    target,
  )
  assert.equal(readFileSync(join(target, 'link'), 'utf8'), 'echo')
  assert.equal(statSync(join(target, 'bin/run')).mode & 0o777, 0o755)
})

test('a commit with one bad entry is not unpacked at all', async () => {
  for (const [i, bad] of (['../out', '/tmp/out'] as const).entries()) {
    const target = join(folder, `bad-${i}`)
    await assert.rejects(
      unpack(
        archive([
          { path: 'good', type: 'File' },
          { path: bad, type: 'File', text: 'x' },
        ]),
        target,
      ),
      /outside/,
    )
    assert.throws(() => statSync(target))
  }
})

test('a rehearsal leaves nothing, nor does what an earlier one left stop it', async () => {
  mkdirSync(join(folder, 'rehearsal/folder'), { recursive: true })
  const before = readdirSync(folder).filter(name => name !== 'rehearsal')
  await rehearseUnpacking(join(folder, 'rehearsal'))
  assert.deepEqual(readdirSync(folder), before)
})
