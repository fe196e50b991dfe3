import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#platform/crypto/index.ts'

/**
 * Content of the token that a running step signs in with. Once a newer fence is issued, or the attempt is over, it is
 * invalid.
 */
export interface AttemptToken {
  /** Creator of the change, whose rights the token has, limited to the project. */
  readonly userId: string
  readonly stepId: string
  /** The fence of the attempt. */
  readonly fence: number
  /**
   * Lifetime from the setting token.access_expiry_minutes, counted from the attempt's start by the clock of the
   * database.
   */
  readonly minutes: number
}

const prefix = 'sluice_attempt_'
const payloadBytes = 16 + 16 + 8 + 4
const macBytes = 32

/**
 * Token of a step's attempt. It contains its user and step, with a keyed hash that proves that this installation issued
 * it: nothing is stored, because the step's row has everything else. A row for each of a thousand light steps a second
 * was an eighth of their cost.
 */
export function attemptToken(keyring: Pick<Keyring, 'mac'>, { userId, stepId, fence, minutes }: AttemptToken): string {
  const said = Buffer.alloc(payloadBytes)
  said.write(hexOf(userId), 0, 'hex')
  said.write(hexOf(stepId), 16, 'hex')
  said.writeBigUInt64BE(BigInt(fence), 32)
  said.writeUInt32BE(minutes, 40)
  return prefix + Buffer.concat([said, proofOf(keyring, said)]).toString('base64url')
}

/** Whether a bearer token has the form of a step's. */
export const looksLikeAttemptToken = (token: string): boolean => token.startsWith(prefix)

/** Content of a token; undefined unless this installation issued exactly this text. */
export function readAttemptToken(keyring: Pick<Keyring, 'mac'>, token: string): AttemptToken | undefined {
  const text = token.slice(prefix.length)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== payloadBytes + macBytes || bytes.toString('base64url') !== text) return undefined
  const said = bytes.subarray(0, payloadBytes)
  if (!timingSafeEqual(bytes.subarray(payloadBytes), proofOf(keyring, said))) return undefined
  return {
    userId: uuidOf(said.subarray(0, 16)),
    stepId: uuidOf(said.subarray(16, 32)),
    fence: Number(said.readBigUInt64BE(32)),
    minutes: said.readUInt32BE(40),
  }
}

const proofOf = (keyring: Pick<Keyring, 'mac'>, said: Buffer): Buffer => keyring.mac('attempt token', said)

const hexOf = (uuid: string): string => uuid.replaceAll('-', '')

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
