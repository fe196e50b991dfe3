import { fromJson } from '#json/from-json.ts'
import type { Attempt, FromRunner, Hello, LogChunk, Result } from '#protocol/runner-protocol.ts'
import { limits } from '#protocol/runner-protocol.ts'

/** A received message, checked so far that it can be stored; undefined if it is invalid. */
export function readMessage(text: string): FromRunner | undefined {
  const message = parse(text)
  if (message === undefined) return undefined
  const check = checks[message.type as FromRunner['type']] as ((message: never) => boolean) | undefined
  return check?.(message as never) ? (message as unknown as FromRunner) : undefined
}

const checks: { [T in FromRunner['type']]: (message: Record<string, unknown>) => boolean } = {
  hello: message => isHello(message as unknown as Hello),
  alive: () => true,
  masked: ({ id }) => uuid.test(String(id)),
  masked_texts: ({ id, texts }) =>
    uuid.test(String(id)) && Array.isArray(texts) && texts.every(text => typeof text === 'string'),
  log: message => isNumbered(message) && isLog(message as unknown as LogChunk),
  result: message => isNumbered(message) && isResult(message as unknown as Result),
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = fromJson(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const categories = new Set(['stdout', 'stderr', 'action', 'runner'])
const outcomes = new Set(['success', 'error', 'cancelled'])

const isWhole = (value: unknown, least: number) => Number.isSafeInteger(value) && (value as number) >= least

const isAttempt = (value: Partial<Attempt>) =>
  uuid.test(String(value?.stepId)) && isWhole(value.attempt, 1) && isWhole(value.fence, 0)

const isNumbered = (message: Record<string, unknown>) => isAttempt(message) && isWhole(message['seq'], 1)

const isHello = ({ protocol, runnerId, pid, pidStarted, host, holding, reported }: Hello) =>
  isWhole(protocol, 1) &&
  uuid.test(String(runnerId)) &&
  isWhole(pid, 1) &&
  isWhole(pidStarted, 0) &&
  typeof host === 'string' &&
  [holding, reported].every(list => Array.isArray(list) && list.every(isAttempt))

const isLog = ({ firstSeq, runs, text }: LogChunk) =>
  isWhole(firstSeq, 1) &&
  typeof text === 'string' &&
  !text.includes('\0') &&
  Array.isArray(runs) &&
  runs.every(isRun) &&
  isCount(
    runs.reduce((sum, [lines]) => sum + lines, 0),
    text,
  )

const isRun = (run: unknown) => Array.isArray(run) && isWhole(run[0], 1) && time.test(run[1]) && categories.has(run[2])

function isCount(lines: number, text: string): boolean {
  if (lines > limits.linesInChunk) return false
  let found = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found++
  return found === lines
}

const isResult = (result: Result) =>
  outcomes.has(result.outcome) &&
  (result.exitCode === null || Number.isSafeInteger(result.exitCode)) &&
  (result.errorMessage === null || typeof result.errorMessage === 'string') &&
  time.test(result.startedAt) &&
  time.test(result.finishedAt) &&
  typeof result.propertiesDiffs === 'object' &&
  Array.isArray(result.artefacts)
