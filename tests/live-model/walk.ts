import assert from 'node:assert/strict'
import type { Client } from '../support/api.ts'
import type { Shown } from '../support/changes.ts'

/** A list read page by page, from its newest record, while records are added. */
export class Walk {
  private readonly admin: Client
  private readonly path: string
  private readonly before: readonly string[]
  private readonly pages: string[][] = []
  private next: string | undefined

  private constructor(admin: Client, path: string, before: readonly string[], limit: number) {
    this.admin = admin
    this.path = path
    this.before = before
    this.next = `${path}limit=${limit}`
  }

  /** @param path with the beginning of a query */
  static async begun(admin: Client, path: string, limit: number): Promise<Walk> {
    return new Walk(admin, path, idsOf(await whole(admin, path)), limit)
  }

  get isOver(): boolean {
    return this.next === undefined
  }

  async goesOn(): Promise<void> {
    const { status, body, text } = await this.admin.get(this.next!)
    assert.ok(status === 200 || status === 206, text)
    this.pages.unshift(idsOf(body.data))
    this.next = body.links?.next
  }

  /** The pages contain all initial records, none twice, in the order of the whole list. */
  async isRight(): Promise<string[]> {
    while (!this.isOver) await this.goesOn()
    const found = this.pages.flat()
    const wrong: string[] = []
    const seen = new Set(found)
    if (seen.size < found.length) wrong.push(`${this.path}: ${found.length - seen.size} came twice`)
    const missing = this.before.filter(id => !seen.has(id))
    if (missing.length > 0) wrong.push(`${this.path}: ${missing.length} of ${this.before.length} were left out`)
    const order = idsOf(await whole(this.admin, this.path)).filter(id => seen.has(id))
    if (order.join() !== found.join()) wrong.push(`${this.path}: the pages have another order than the list`)
    return wrong
  }
}

/** A complete list; one whose newest comes last, in its own order. */
export async function whole(client: Client, path: string): Promise<Shown[]> {
  const limit = path.includes('/log_lines') ? 10_000 : 1_000
  const pages: Shown[][] = []
  // A page of long lines ends before its limit.
  for (let next: string | undefined = `${path}limit=${limit}`; next; ) {
    const { status, body, text } = await client.get(next)
    assert.ok(status === 200 || status === 206, text)
    pages.unshift(body.data)
    next = body.links?.next
  }
  return pages.flat()
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)
