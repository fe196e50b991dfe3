import { type Attempt, limits, type Result } from '#protocol/runner-protocol.ts'

/** Each of these takes at most three bytes of UTF-8, so that nearly nothing needs to be measured. */
export const isTooLong = (text: string) =>
  text.length * 3 > limits.messageBytes && Buffer.byteLength(text) > limits.messageBytes

/**
 * Replaces a message that would close the connection each time it is sent: the step fails with that reason instead. Its
 * number is not one of the runner's.
 */
export function failedUnsent({ stepId, attempt, fence }: Attempt): Result {
  const at = `${new Date().toISOString().slice(0, -1)}000Z`
  const most = limits.messageBytes / 1_048_576
  return {
    type: 'result',
    seq: 0,
    ...{ stepId, attempt, fence },
    outcome: 'error',
    exitCode: null,
    errorMessage: `What the step is given (its properties, files and scripts together) is larger than ${most} MiB.`,
    startedAt: at,
    finishedAt: at,
    propertiesDiffs: {},
    artefacts: [],
  }
}
