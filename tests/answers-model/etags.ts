import type { Chance } from '../audit-trail/chance.ts'
import type { Answer, Client } from '../support/api.ts'
import type { Question } from './foretold.ts'

interface Seen {
  readonly etag: string
  readonly text: string
}

/** What each of the people was answered last, and the ETag of that. */
export class Etags {
  readonly #seen = new Map<string, Seen>()
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Sometimes a write says that it is meant for the record as it stands, which changes nothing of its answer. */
  async matching(client: Client, { method, path, headers }: Question): Promise<Readonly<Record<string, string>>> {
    if (headers || method === 'GET' || method === 'POST' || !this.#chance.is(0.2)) return headers ?? {}
    const shown = await client.get(`/api${path.split('?')[0]}`)
    const etag = shown.headers.get('etag')
    return shown.status === 200 && etag ? { 'if-match': etag } : {}
  }

  /** An answer is not modified for whoever had the same one, and is for whoever had another. */
  async wrong(client: Client, { method, path, by }: Question, { status, headers, text }: Answer): Promise<string[]> {
    const etag = headers.get('etag')
    if (method !== 'GET' || status !== 200 || etag === null) return []
    const key = `${by} ${path}`
    const before = this.#seen.get(key)
    this.#seen.set(key, { etag, text })
    if (!before || !this.#chance.is(0.5)) return []
    const again = await client.get(`/api${path}`, { 'if-none-match': before.etag })
    const should = before.text === text ? 304 : 200
    // What is in force has its ETag from the documents that it comes from: another, when they have become what they were.
    if (again.status === should || (should === 304 && path.includes('/converged_'))) return []
    return [`${again.status} for the ETag of before, foretold ${should}`]
  }
}
