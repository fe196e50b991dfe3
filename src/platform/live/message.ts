/** One message in the form of `text/event-stream`. JSON has no line breaks, so that its data is one line. */
export function messageText({ kind, data, id }: { kind: string; data: object; id?: string | undefined }): string {
  return `event: ${kind}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/**
 * Comment that keeps proxies from closing a silent connection. It always carries the position, like any message, so
 * that it does not reveal whether something happened that the caller may not see.
 */
export const heartbeatText = (id: string | undefined): string =>
  `: still here\n${id === undefined ? '' : `id: ${id}\n`}\n`

/** Sets the time that a client waits before it reconnects, in milliseconds. */
export const retryText = (milliseconds: number): string => `retry: ${milliseconds}\n\n`
