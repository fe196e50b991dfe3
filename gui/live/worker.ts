import { connect } from '#client/sluice.ts'
import type { FromTab, ToTab } from './port.ts'
import { StreamHub } from './stream-hub.ts'

/** SharedWorker that holds the live streams of all tabs of this browser. */

const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void }
// Reading needs no CSRF token; the session cookie is sent by the browser.
const hub = new StreamHub(() => connect(location.origin))

scope.onconnect = ({ ports: [port] }) => {
  const watching = new Map<number, () => void>()
  port!.onmessage = ({ data }: MessageEvent<FromTab>) => {
    if (data.do === 'watch')
      watching.set(
        data.id,
        hub.watch(data.stream, news => port!.postMessage({ id: data.id, news } satisfies ToTab)),
      )
    else if (data.do === 'unwatch') {
      watching.get(data.id)?.()
      watching.delete(data.id)
    } else {
      for (const stop of watching.values()) stop()
      watching.clear()
      port!.close()
    }
  }
}
