import type { Answer, Client } from '../support/api.ts'
import type { Chance } from './chance.ts'
import { type Asked, anyDeed, type Known } from './deeds.ts'

/** A request with its response. */
export interface Done {
  readonly asked: Asked
  readonly username: string
  readonly status: number
  readonly text: string
}

export interface Asker {
  readonly username: string
  readonly client: Client
}

/** Sends requests of these people, some of them concurrently. Created records are known to all from then on. */
export async function play(
  { askers, chance, known }: { askers: readonly Asker[]; chance: Chance; known: Known },
  { deeds, atOnce }: { deeds: number; atOnce: number },
): Promise<Done[]> {
  const done: Done[] = []
  let left = deeds
  const playOne = async () => {
    while (left-- > 0) {
      const asker = chance.of(askers)
      const asked = anyDeed(chance, known)
      // Concurrently, to the same record: one changes what the other sees.
      const others = chance.is(0.2) ? [chance.of(askers)] : []
      await Promise.all([asker, ...others].map(each => ask(each, asked, known, done)))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, playOne))
  return done
}

export async function ask({ username, client }: Asker, asked: Asked, known: Known, done: Done[]): Promise<void> {
  const { method, path, attributes, meta, raw, headers } = asked
  const body = raw ?? (attributes && JSON.stringify({ data: { attributes, ...(meta && { meta }) } }))
  const answer = await client.send(method, `/api${path}`, { ...(headers && { headers }), ...(body && { raw: body }) })
  done.push({ asked, username, status: answer.status, text: answer.text })
  // Draws an existing target; admin knows all.
  if (answer.status === 404 && username === 'admin') forget(known, path)
  if (answer.status === 201 && answer.body?.data?.links?.self) await learn(client, answer, known)
}

const nodes = ['project', 'environment', 'asset']

/** A created record, and records created with it. */
export async function learn(client: Client, { body }: Answer, known: Known): Promise<void> {
  const { type, links, relationships = {} } = body.data
  const path = String(links.self).slice('/api'.length)
  note(known, type, path)
  if (nodes.includes(type)) note(known, 'node', path)
  for (const documents of ['settings', 'properties']) {
    const id = relationships[documents]?.data?.id
    if (id !== undefined) note(known, documents, `/${documents}/${id}`)
  }
  for (const { id } of relationships['authorisation_rules']?.data ?? [])
    note(known, 'authorisation_rule', `/authorisation_rules/${id}`)
  if (type !== 'change' && type !== 'workflow_run') return
  const steps = await client.get(`${links.self}/steps`)
  for (const step of steps.body?.data ?? []) note(known, step.type, `/${step.type}s/${step.id}`)
}

function note(known: Known, kind: string, path: string): void {
  known.set(kind, [...(known.get(kind) ?? []), path])
}

function forget(known: Known, path: string): void {
  for (const [kind, paths] of known)
    if (paths.length > 1)
      known.set(
        kind,
        paths.filter(each => each !== path),
      )
}
