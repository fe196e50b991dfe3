import assert from 'node:assert/strict'
import type { Answer, Client } from '../support/api.ts'
import { secret } from './documents.ts'

/**
 * A client with a cache: sends each request with the previous ETag. Responses with the same tag must have the same
 * text, and 304 must mean that.
 */
export class Asking {
  private readonly client: Client
  private readonly kept = new Map<string, { etag: string; answer: Answer }>()
  private readonly texts = new Map<string, string>()

  constructor(client: Client) {
    this.client = client
  }

  async get(path: string): Promise<Answer> {
    const before = this.kept.get(path)
    const answer = await this.client.get(path, before ? { 'if-none-match': before.etag } : {})
    assert.ok(!answer.text.includes(secret), `${path} tells a secret: ${answer.text}`)
    if (answer.status === 304) {
      const again = await this.client.get(path)
      assert.equal(again.text, before!.answer.text, `${path} was 304, and is another one`)
      return before!.answer
    }
    const etag = answer.headers.get('etag')
    if (answer.status !== 200 || etag === null) return answer
    const key = `${path} ${etag}`
    assert.equal(this.texts.get(key) ?? answer.text, answer.text, `two answers of ${path} under ${etag}`)
    this.texts.set(key, answer.text)
    this.kept.set(path, { etag, answer })
    return answer
  }
}
