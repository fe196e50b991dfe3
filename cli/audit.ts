import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { beginning, type Link } from '../audit/chain.ts'
import { concluded, type Fault, joined, type Proof, prove, type Read, readTrail } from '../audit/proof.ts'
import type { Document, Sluice } from '../client/sluice.ts'
import { fromJson } from '../json/from-json.ts'
import { documentText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { expectUnreadOutput, type Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

const trailPath = '/api/admin/audit_trail'

/** One line of an export: a seal as the service returns it. */
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

/** Exports the audit trail, one line of JSON per seal; `verify` checks it without the service. */
export async function exportTrail({ sluice, write }: Terminal, { after }: { after?: string }): Promise<void> {
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new WrongUsage('--after should be the number of a seal, for example 1200.')
  for await (const { seals } of pages(sluice, after)) write(seals.map(seal => `${JSON.stringify(seal)}\n`).join(''))
}

/** Prints the head of the audit trail, to be stored elsewhere and passed to `verify --head`. */
export async function showHead({ sluice, format, write }: Terminal): Promise<void> {
  const { head } = ((await sluice.document(trailPath, { after: '999999999999999' })) as Page).data.attributes
  if (format === 'json' || format === 'yaml') write(documentText(head, format))
  else write(`${head.seq}:${head.hash}\n`)
}

/**
 * Verifies the audit trail of the service or, offline, of exported files in their order.
 *
 * @returns exit status 0 if the trail is intact, else 1
 */
export async function verifyTrail(
  terminal: Terminal,
  files: readonly string[],
  options: { head?: readonly string[] },
): Promise<number> {
  const noted = (options.head ?? []).map(linkOf)
  expectUnreadOutput()
  const proof = files.length > 0 ? await provenFiles(files, noted) : await provenService(terminal.sluice, noted)
  const { format, write } = terminal
  if (format === 'json' || format === 'yaml')
    write(documentText({ ...proof, head: { seq: proof.head.seq, hash: proof.head.hash.toString('hex') } }, format))
  else for (const line of proofText(proof)) write(plainLine(line).concat('\n'))
  return proof.faults.length > 0 ? 1 : 0
}

function linkOf(word: string): Link {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(word) ?? []
  if (!seq || !hash)
    throw new WrongUsage(`--head should be the output of "sluice audit head", <number>:<hash>, not "${word}".`)
  return { seq: Number(seq), hash: Buffer.from(hash, 'hex') }
}

/** Verifies exported files. If they do not start with seal 1, they must chain to a noted head. */
async function provenFiles(files: readonly string[], noted: readonly Link[]): Promise<Proof> {
  const seals = sealsIn(files)
  const first = await seals.next()
  if (first.done) throw new Error(`${files.join(', ')} contains no seal.`)
  const before = first.value.seq - 1
  const from = [beginning, ...noted].find(({ seq }) => seq === before)
  if (!from)
    throw new Error(
      `${files[0]} starts with seal ${before + 1}: add the preceding file, or pass the noted hash of the preceding seal with --head ${before}:<hash>.`,
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
      if (!seal) throw new Error(`${file}:${number}: not a line written by "sluice audit export".`)
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
  if (!Number.isSafeInteger(seq) || seq < 1) throw new Error('seq is not a positive integer')
  return {
    seq,
    event_id,
    digest: Buffer.from(digest, 'hex'),
    hash: Buffer.from(hash, 'hex'),
    event: created_at === null || body === null ? null : { created_at, body },
    differing,
  }
}

/** Number of retries, one second apart; every event is sealed within ten seconds. */
const removalRetries = 15

/** Verifies the trail of the service, including that the chain reaches its head and that every event has a seal. */
async function provenService(sluice: Sluice, noted: readonly Link[]): Promise<Proof> {
  let head = { seq: 0, hash: beginning.hash.toString('hex') }
  async function* seals(after = 0): AsyncGenerator<Read> {
    for await (const page of pages(sluice, String(after))) {
      head = page.head
      for (const seal of page.seals) yield readSeal(seal)
    }
  }
  let reading = await readTrail(seals(), noted)
  // These events may have been deleted during the read; the event that records the deletion is sealed within seconds.
  for (
    let retries = 0;
    reading.unexplained.length > 0 && reading.faults.length === 0 && retries < removalRetries;
    retries += 1
  ) {
    await wait(1_000)
    reading = joined(reading, await readTrail(seals(reading.head.seq), [], reading.head))
  }
  const proof = concluded(reading)
  const faults: Fault[] = [...proof.faults]
  if (faults.length === 0 && `${head.seq}:${head.hash}` !== `${proof.head.seq}:${proof.head.hash.toString('hex')}`)
    faults.push({ seq: proof.head.seq, event_id: null, what: `the chain ends here, but the head is ${head.seq}` })
  for await (const { data } of sluice.pages(`${trailPath}/unsealed`)) {
    const { event_ids } = (data as unknown as { attributes: { event_ids: string[] } }).attributes
    for (const event_id of event_ids)
      faults.push({ seq: null, event_id, what: 'the event was inserted without a seal' })
  }
  return { ...proof, faults }
}

async function* pages(sluice: Sluice, after = '0'): AsyncGenerator<Page['data']['attributes']> {
  for await (const page of sluice.pages(trailPath, { after })) yield (page as unknown as Page).data.attributes
}

function proofText({ sealed, removed, head, faults }: Proof): string[] {
  if (faults.length > 0)
    return [
      'The audit trail is not intact:',
      ...faults.map(
        ({ seq, event_id, what }) =>
          `  ${seq === null ? 'no seal' : `seal ${seq}`}${event_id ? `, event ${event_id}` : ''}: ${what}`,
      ),
    ]
  return [
    `The audit trail is intact: ${sealed - removed} events verified, none missing${removed > 0 ? `; ${removed} were deleted by data cleaning, which the trail records` : ''}.`,
    `${head.seq}:${head.hash.toString('hex')}`,
  ]
}
