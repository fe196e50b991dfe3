import { hash } from 'node:crypto'
import type pg from 'pg'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * The log of a step of 300,000 lines (SLUICE_BENCH_LINES) as CSV and as plain text, each alternating with the same
 * bytes written by hand from the same chunks; and pages of it, first and deep, whose cost should only depend on the
 * lines that they show.
 */
const lines = Number(process.env['SLUICE_BENCH_LINES'] ?? 300_000)
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 5)

const installation = await newInstallation({
  actions: `actions: { print: { run: 'seq -f "%07.0f of the lines that this step prints" 1 ${lines}' } }`,
})
try {
  const { sluice, ownerUrl, password } = installation
  const { id } = await sluice.create(`${asset}/changes`, { action: 'print' })
  await success(sluice, id)
  const steps = await sluice.list<Record<string, unknown>>(`/api/changes/${id}/steps`, { limit: 10 })
  const step = steps[0]!.id
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const fetched = async (path: string) =>
    Buffer.from(await (await fetch(sluice.url + path, { headers: { authorization } })).arrayBuffer())
  const ours = () => fetched(`/api/steps/${step}/log_lines?download=log.csv`)
  const [theirs, byHand] = [await ours(), await withClient(ownerUrl, client => csvByHand(client, step, id))]
  if (!theirs.equals(byHand)) throw new Error('the download has other bytes than the one made by hand')
  const asText = () => fetched(`/api/steps/${step}/log_lines?download=build.log`)
  const [text, textByHand] = [await asText(), await withClient(ownerUrl, client => textOf(client, step))]
  if (!text.equals(textByHand)) throw new Error('the plain text has other bytes than the one made by hand')
  const times = { download: [] as number[], byHand: [] as number[], text: [] as number[], textByHand: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.download.push(await timed(ours))
    times.byHand.push(await withClient(ownerUrl, client => timed(() => csvByHand(client, step, id))))
    times.text.push(await timed(asText))
    times.textByHand.push(await withClient(ownerUrl, client => timed(() => textOf(client, step))))
  }
  const page = async (size: number, path = `/api/steps/${step}/log_lines?limit=${size}`) => {
    const each: number[] = []
    for (let round = 0; round < 20; round++) each.push(await timed(() => fetched(path)))
    return spreadOf(each)
  }
  const pages = { 50: await page(50), 1000: await page(1_000), 10000: await page(10_000) }
  const deep = await page(50, await linkAfter(20))
  const [download, floor] = [spreadOf(times.download), spreadOf(times.byHand)]
  const [plain, plainFloor] = [spreadOf(times.text), spreadOf(times.textByHand)]
  await print({
    bench: 'log-downloads',
    figures: {
      'CSV, ms': download,
      'plain text, ms': plain,
      'page of 50, ms': pages[50],
      'page of 50 behind twenty of 10,000, ms': deep,
      'page of 1,000, ms': pages[1_000],
      'page of 10,000, ms': pages[10_000],
    },
    floors: {
      'the same CSV by hand, ms': floor,
      'bytes of it': theirs.length,
      'the same text by hand, ms': plainFloor,
      'bytes of that': text.length,
    },
    targets: {
      'CSV against the same by hand': { value: download.p50 / floor.p50, atMost: 2 },
      'plain text against the same by hand': { value: plain.p50 / plainFloor.p50, atMost: 2 },
      'a page of 50 against one of 10,000': { value: pages[50].p50 / pages[10_000].p50, atMost: 0.25 },
      'a deep page against the first': { value: deep.p50 / pages[50].p50, atMost: 2 },
    },
    databaseUrl: ownerUrl,
  })

  async function linkAfter(times: number): Promise<string> {
    let path = `/api/steps/${step}/log_lines?limit=10000`
    for (let time = 0; time < times; time++) {
      const { links } = JSON.parse((await fetched(path)).toString()) as { links: { next?: string } }
      if (!links.next) break
      path = links.next
    }
    return path.replace('limit=10000', 'limit=50')
  }
} finally {
  await installation.remove()
}

/** CSV written by hand with knowledge of the tables: chunk after chunk, decompressed and written. */
async function csvByHand(client: pg.Client, step: string, change: string): Promise<Buffer> {
  const parts = [
    'id,message,category,level,sequence,attempt,logged_at,step_id,change_id,workflow_step_id,workflow_run_id\r\n',
  ]
  for (let after = 0; ; ) {
    const { rows } = await client.query(
      `select first_seq::int, line_count, attempt, array_to_string(ats, ',') as ats,
              array_to_string(categories, ',') as categories, array_to_string(messages, e'\\n') as messages
         from log_chunks where step_id = $1 and first_seq > $2 order by attempt, first_seq limit 8`,
      [step, after],
    )
    if (!rows.length) return Buffer.from(parts.join(''))
    for (const chunk of rows) {
      const [ats, categories] = [chunk.ats.split(','), chunk.categories.split(',')]
      let text = ''
      for (const [index, message] of chunk.messages.split('\n').entries()) {
        const level = categories[index] === 'stderr' ? 'error' : 'info'
        const seq = chunk.first_seq + index
        text += `${lineId(step, chunk.attempt, seq)},${cell(message)},${categories[index]},${level},${seq},${chunk.attempt},${isoTime(ats[index])},${step},${change},,\r\n`
      }
      parts.push(text)
      after = chunk.first_seq
    }
  }
}

/** The text of a log in the order of its chunks. */
async function textOf(client: pg.Client, step: string): Promise<Buffer> {
  const parts: string[] = []
  for (let after = 0; ; ) {
    const { rows } = await client.query(
      `select first_seq::int, array_to_string(messages, e'\\n') as messages
         from log_chunks where step_id = $1 and first_seq > $2 order by attempt, first_seq limit 8`,
      [step, after],
    )
    if (!rows.length) return Buffer.from(parts.join(''))
    for (const { messages } of rows) parts.push(messages, '\n')
    after = rows.at(-1).first_seq
  }
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function isoTime(text: string): string {
  const [day, rest] = text.split(' ')
  const [time, fraction = ''] = rest!.slice(0, rest!.search(/[+-]/)).split('.')
  return `${day}T${time}.${fraction.padEnd(6, '0')}Z`
}

function lineId(step: string, attempt: number, seq: number): string {
  const named = Buffer.alloc(28)
  named.write(step.replaceAll('-', ''), 'hex')
  named.writeInt32BE(attempt, 16)
  named.writeBigInt64BE(BigInt(seq), 20)
  const digest = Buffer.from(hash('sha256', named, 'hex'), 'hex')
  digest[6] = (digest[6]! & 0x0f) | 0x80
  digest[8] = (digest[8]! & 0x3f) | 0x80
  return digest.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
