import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { beginning, type Link } from '../audit/chain.ts'
import { concluded, type Fault, joined, type Proof, prove, type Read, readTrail } from '../audit/proof.ts'
import type { Document, Sluice } from '../client/sluice.ts'
import { fromJson } from '../json/from-json.ts'
import { documentText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { endsUnknown, type Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

const trailPath = '/api/admin/audit_trail'

/** A line of an export: what the service tells of one seal. */
interface Line {
  readonly seq: number
  readonly event_id: string
  readonly created_at: string | null
  readonly body: string | null
  readonly digest: string
  readonly hash: string
  readonly differing?: readonly string[]
}

type Page = Document<{ attributes: { head: { seq: number; hash: string }; seals: readonly Line[] } }>

/** Writes the sealed audit trail, a line of JSON for each seal: what `verify` proves without the service. */
export async function exportTrail({ sluice, write }: Terminal, { after }: { after?: string }): Promise<void> {
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new WrongUsage('--after takes the number of a seal.')
  for await (const { seals } of pages(sluice, after)) write(seals.map(seal => `${JSON.stringify(seal)}\n`).join(''))
}

/** Says where the audit trail stands: what to note elsewhere, for `verify --head`. */
export async function showHead({ sluice, format, write }: Terminal): Promise<void> {
  const { head } = ((await sluice.document(trailPath, { after: '999999999999999' })) as Page).data.attributes
  if (format === 'json' || format === 'yaml') write(documentText(head, format))
  else write(`${head.seq}:${head.hash}\n`)
}

/**
 * Proves the audit trail: that of the service, or what lies in files that `export` has written, in their order; without
 * any service, then. Answers 0 when it holds, else 1.
 */
export async function verifyTrail(
  terminal: Terminal,
  files: readonly string[],
  options: { head?: readonly string[] },
): Promise<number> {
  const noted = (options.head ?? []).map(linkOf)
  endsUnknown()
  const proof = files.length > 0 ? await provenFiles(files, noted) : await provenService(terminal.sluice, noted)
  const { format, write } = terminal
  if (format === 'json' || format === 'yaml')
    write(documentText({ ...proof, head: { seq: proof.head.seq, hash: proof.head.hash.toString('hex') } }, format))
  else for (const line of inWords(proof)) write(plainLine(line).concat('\n'))
  return proof.faults.length > 0 ? 1 : 0
}

function linkOf(word: string): Link {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(word) ?? []
  if (!seq || !hash)
    throw new WrongUsage(`--head takes what "sluice audit head" says, <number>:<hash>; "${word}" is not of that form.`)
  return { seq: Number(seq), hash: Buffer.from(hash, 'hex') }
}

/** Files may begin later than the trail: they chain to what was noted of the seal before, then. */
async function provenFiles(files: readonly string[], noted: readonly Link[]): Promise<Proof> {
  const seals = sealsIn(files)
  const first = await seals.next()
  if (first.done) throw new Error(`There is no seal in ${files.join(', ')}.`)
  const before = first.value.seq - 1
  const from = [beginning, ...noted].find(({ seq }) => seq === before)
  if (!from)
    throw new Error(
      `${files[0]} begins with seal ${before + 1}: say what it follows, by --head ${before}:<hash>, or name the file that comes before it.`,
    )
  return prove(withFirst(first.value, seals), noted, from)
}

async function* withFirst(first: Read, rest: AsyncIterable<Read>): AsyncGenerator<Read> {
  yield first
  yield* rest
}

async function* sealsIn(files: readonly string[]): AsyncGenerator<Read> {
  for (const file of files) {
    const input = file === '-' ? process.stdin : createReadStream(file)
    let number = 0
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1
      const seal = sealOf(text)
      if (!seal) throw new Error(`${file}, line ${number}, is no line that "sluice audit export" has written.`)
      yield seal
    }
  }
}

function sealOf(text: string): Read | undefined {
  try {
    return readSeal(fromJson<Line>(text))
  } catch {
    return undefined
  }
}

function readSeal({ seq, event_id, created_at, body, digest, hash, differing = [] }: Line): Read {
  if (!Number.isSafeInteger(seq) || seq < 1) throw new Error('its number is none')
  return {
    seq,
    event_id,
    digest: Buffer.from(digest, 'hex'),
    hash: Buffer.from(hash, 'hex'),
    event: created_at === null || body === null ? null : { created_at, body },
    differing,
  }
}

/** A second apart: within ten everything is sealed. */
const looksForRemovals = 15

/** As for files, and the service has nothing besides: no head that the chain does not reach, no event without a seal. */
async function provenService(sluice: Sluice, noted: readonly Link[]): Promise<Proof> {
  let head = { seq: 0, hash: beginning.hash.toString('hex') }
  async function* seals(after = 0): AsyncGenerator<Read> {
    for await (const page of pages(sluice, String(after))) {
      head = page.head
      for (const seal of page.seals) yield readSeal(seal)
    }
  }
  let reading = await readTrail(seals(), noted)
  // Removed while this was read, perhaps: what tells of it is sealed within seconds.
  for (
    let looks = 0;
    reading.untold.length > 0 && reading.faults.length === 0 && looks < looksForRemovals;
    looks += 1
  ) {
    await wait(1_000)
    reading = joined(reading, await readTrail(seals(reading.head.seq), [], reading.head))
  }
  const proof = concluded(reading)
  const faults: Fault[] = [...proof.faults]
  if (faults.length === 0 && `${head.seq}:${head.hash}` !== `${proof.head.seq}:${proof.head.hash.toString('hex')}`)
    faults.push({ seq: proof.head.seq, event_id: null, what: `the chain ends here, and its head says ${head.seq}` })
  for await (const { data } of sluice.pages(`${trailPath}/unsealed`)) {
    const { event_ids } = (data as unknown as { attributes: { event_ids: string[] } }).attributes
    for (const event_id of event_ids)
      faults.push({ seq: null, event_id, what: 'the event was put in without being sealed' })
  }
  return { ...proof, faults }
}

async function* pages(sluice: Sluice, after = '0'): AsyncGenerator<Page['data']['attributes']> {
  for await (const page of sluice.pages(trailPath, { after })) yield (page as unknown as Page).data.attributes
}

function inWords({ sealed, removed, head, faults }: Proof): string[] {
  if (faults.length > 0)
    return [
      'The audit trail does not hold:',
      ...faults.map(
        ({ seq, event_id, what }) =>
          `  ${seq === null ? 'no seal' : `seal ${seq}`}${event_id ? `, event ${event_id}` : ''}: ${what}`,
      ),
    ]
  return [
    `The audit trail holds: ${sealed - removed} events as they were sealed, none missing${removed > 0 ? `; ${removed} were removed as old, as it tells itself` : ''}.`,
    `${head.seq}:${head.hash.toString('hex')}`,
  ]
}
