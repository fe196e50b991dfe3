import { createHash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Labels } from '#json/labels.ts'
import { inBatches } from '#platform/db/batches.ts'
import type { Database, Queries, Tx } from '#platform/db/database.ts'
import { lockNamed } from '#platform/db/locks.ts'
import { sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { limits } from '#protocol/runner-protocol.ts'

export interface NewArtefact {
  stepId: string
  attempt: number
  activityId: string
  projectId: string
  path: string
  name: string
  contentType: string
  labels: Labels
  /** Digest as the runner has computed it; the received content must have it. */
  sha256: string
}

const chunkBytes = 1_048_576

/**
 * Stores a file of a step, its bytes once for each content. It is received into a file first: a transaction does not
 * wait for a slow sender, and nothing is stored under a wrong hash. Storing the same file again changes nothing.
 */
export async function storeArtefact(database: Database, artefact: NewArtefact, bytes: Readable): Promise<void> {
  const file = await fileWithoutName()
  try {
    const received = await receive(bytes, file)
    if (received.sha256 !== artefact.sha256) {
      throw failure('invalid', `The artefact ${artefact.name} was changed while it was being kept.`)
    }
    await database.transaction(tx => store(tx, artefact, file, received.byteSize), { statementTimeout: 60_000 })
  } finally {
    await file.close()
  }
}

/** File without a name, deleted with this process however that ends: hundreds of megabytes must not be left behind. */
async function fileWithoutName(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-artefact-'))
  try {
    return await open(join(folder, 'bytes'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function receive(bytes: Readable, file: FileHandle): Promise<{ sha256: string; byteSize: number }> {
  const hash = createHash('sha256')
  let byteSize = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    if (byteSize + piece.length > limits.artefactBytes)
      throw failure('body-too-large', `An artefact has at most ${limits.artefactBytes} bytes.`)
    hash.update(piece)
    for (let at = 0; at < piece.length; )
      at += (await file.write(piece, at, piece.length - at, byteSize + at)).bytesWritten
    byteSize += piece.length
  }
  return { sha256: hash.digest('hex'), byteSize }
}

async function store(tx: Tx, artefact: NewArtefact, file: FileHandle, byteSize: number): Promise<void> {
  const { sha256 } = artefact
  // Locked against a deletion of the last other artefact of that content.
  await lockNamed(tx, `artefacts:${sha256}`, 'shared')
  const known = await tx.one(sql`select from artefacts where sha256 = ${sha256} limit 1`)
  if (!known) {
    for (let position = 0; position * chunkBytes < byteSize; position++) {
      const piece = await pieceOf(file, position, byteSize)
      await tx.count(sql`
        insert into artefact_chunks (sha256, position, bytes) values (${sha256}, ${position}, ${piece}) on conflict do nothing`)
    }
  }
  await tx.count(sql`
    insert into artefacts (step_id, activity_id, project_id, path, attempt, name, content_type, byte_size, sha256, labels)
    values (${artefact.stepId}, ${artefact.activityId}, ${artefact.projectId}, ${artefact.path}, ${artefact.attempt},
            ${artefact.name}, ${artefact.contentType}, ${byteSize}, ${sha256}, ${JSON.stringify(artefact.labels)}::jsonb)
        on conflict (step_id, attempt, name)
        do update set byte_size = excluded.byte_size, sha256 = excluded.sha256, labels = excluded.labels`)
}

async function pieceOf(file: FileHandle, position: number, byteSize: number): Promise<Buffer> {
  const from = position * chunkBytes
  const piece = Buffer.allocUnsafe(Math.min(chunkBytes, byteSize - from))
  for (let at = 0; at < piece.length; ) {
    const { bytesRead } = await file.read(piece, at, piece.length - at, from + at)
    if (bytesRead === 0) throw new Error('what was received of an artefact is not there any more')
    at += bytesRead
  }
  return piece
}

/**
 * Gives a retry the artefacts of the steps that it took over: rows of its own for the same contents, so that they stay
 * when the others are deleted.
 */
export async function copyArtefacts(tx: Tx, { from, to }: { from: string; to: string }): Promise<void> {
  await tx.rows(sql`
    select pg_advisory_xact_lock_shared(hashtextextended('artefacts:' || sha256, 0))
      from (select distinct sha256 from artefacts where activity_id = ${from}::uuid order by sha256) f`)
  await tx.count(sql`
    insert into artefacts (step_id, activity_id, project_id, path, attempt, name, content_type, byte_size, sha256, labels,
                           created_at)
    select s.id, s.activity_id, s.project_id, s.path, f.attempt, f.name, f.content_type, f.byte_size, f.sha256, f.labels,
           f.created_at
      from artefacts f
      join steps s on s.activity_id = ${to}::uuid and s.retry_of = f.step_id and s.ran_as is not null
     where f.activity_id = ${from}::uuid`)
}

/** The bytes of a stored file, in pieces. */
export function readArtefact(queries: Queries, sha256: string): Readable {
  return Readable.from(pieces(queries, sha256))
}

async function* pieces(queries: Queries, sha256: string): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const row = await queries.one(sql<{ bytes: Buffer }>`
      select bytes from artefact_chunks where sha256 = ${sha256} and position = ${position}`)
    if (!row) return
    yield row.bytes
  }
}

/** The hashes of the contents of an activity's artefacts. */
export const contentsOf = async (tx: Tx, activityId: string): Promise<string[]> =>
  (
    await tx.rows(sql<{ sha256: string }>`
      select distinct sha256 from artefacts where activity_id = ${activityId}::uuid order by sha256`)
  ).map(({ sha256 }) => sha256)

/** Deletes the artefacts of activities, in batches. */
export async function deleteArtefacts({ database, stopping }: Runtime, ids: readonly string[]): Promise<void> {
  await inBatches(stopping, most => deleteSomeArtefacts(database, ids, most), 20)
}

/** Deletes those of these contents that no artefact uses any more. */
export async function deleteContents({ database }: Runtime, contents: readonly string[]): Promise<void> {
  for (const sha256 of contents) await database.transaction(tx => deleteContent(tx, sha256))
}

/**
 * A content is deleted with the last artefact that has it; no other transaction stores the same one meanwhile
 * (`storeArtefact`).
 */
const deleteSomeArtefacts = (database: Runtime['database'], ids: readonly string[], most: number): Promise<number> =>
  database.transaction(async tx => {
    const gone = await tx.rows(sql<{ sha256: string }>`
      delete from artefacts
       where id in (select id from artefacts where activity_id = any(${[...ids]}::uuid[]) limit ${most})
      returning sha256`)
    for (const sha256 of new Set(gone.map(each => each.sha256).toSorted())) await deleteContent(tx, sha256)
    return gone.length
  })

async function deleteContent(tx: Tx, sha256: string): Promise<void> {
  await lockNamed(tx, `artefacts:${sha256}`)
  await tx.count(sql`
    delete from artefact_chunks c
     where c.sha256 = ${sha256} and not exists (select from artefacts a where a.sha256 = c.sha256)`)
}
