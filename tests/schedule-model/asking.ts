import assert from 'node:assert/strict'
import type { Answer } from '../support/api.ts'

export async function ok(asked: Promise<Answer>): Promise<void> {
  const { status, text } = await asked
  assert.ok([200, 201, 204].includes(status), `${status} ${text}`)
}

export async function refused(asked: Promise<Answer>, wanted: number): Promise<number> {
  const { status, text } = await asked
  assert.equal(status, wanted, text)
  return status
}

export const picked = <T>(among: readonly T[], which: number): T | undefined => among[which % Math.max(1, among.length)]
