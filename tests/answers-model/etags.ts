import type { Chance } from '../audit-trail/chance.ts'
import type { Answer, Client } from '../support/api.ts'
import type { Question } from './predicted.ts'

interface Seen {
  readonly etag: string
  readonly text: string
}

/** Last response to each person, with its ETag. */
export class Etags {
  readonly #seen = new Map<string, Seen>()
  readonly #chance: Chance

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Some writes send If-Match with the current version, which does not change the response. */
  async matching(client: Client, { method, path, headers }: Question): Promise<Readonly<Record<string, string>>> {
    if (headers || method === 'GET' || method === 'POST' || !this.#chance.is(0.2)) return headers ?? {}
    const shown = await client.get(`/api${path.split('?')[0]}`)
    const etag = shown.headers.get('etag')
    return shown.status === 200 && etag ? { 'if-match': etag } : {}
  }

  /** 304 for a caller who has the same response, and 200 for one who has another. */
  async wrong(client: Client, { method, path, by }: Question, { status, headers, text }: Answer): Promise<string[]> {
    const etag = headers.get('etag')
    if (method !== 'GET' || status !== 200 || etag === null) return []
    const key = `${by} ${path}`
    const before = this.#seen.get(key)
    this.#seen.set(key, { etag, text })
    if (!before || !this.#chance.is(0.5)) return []
    const again = await client.get(`/api${path}`, { 'if-none-match': before.etag })
    const should = before.text === text ? 304 : 200
    // The ETag of a converged document depends on its sources: it may differ even if the document is the same again.
    if (again.status === should || (should === 304 && path.includes('/converged_'))) return []
    return [`${again.status} for the ETag of before, predicted ${should}`]
  }
}
