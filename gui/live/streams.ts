import { sluice } from '../api/client.ts'
import type { FromTab, ToTab } from './port.ts'
import { StreamHub, type StreamName, type Watcher } from './stream-hub.ts'
import workerUrl from './worker.ts?sharedworker&url'

/** Watches a live stream; returns how to stop. */
type Watch = (stream: StreamName, watcher: Watcher) => () => void

let watch: Watch | undefined

/**
 * Watches a live stream of the API while the tab is visible. All tabs of a browser share the connections by a
 * SharedWorker; browsers without it (Chrome on Android) hold their own. A hidden tab watches nothing; when it is shown
 * again, the watcher gets `connected` with `resumed: false` and reads the state again.
 */
export function watchStream(stream: StreamName, watcher: Watcher): () => void {
  watch ??= typeof SharedWorker === 'undefined' ? watchHere() : watchByWorker()
  let stop: (() => void) | undefined
  const onVisibility = () => {
    if (document.visibilityState === 'hidden') {
      stop?.()
      stop = undefined
    } else stop ??= watch!(stream, watcher)
  }
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    stop?.()
  }
}

function watchHere(): Watch {
  const hub = new StreamHub(sluice)
  return (stream, watcher) => hub.watch(stream, watcher)
}

function watchByWorker(): Watch {
  const worker = new SharedWorker(trusted(workerUrl), { type: 'module', name: 'sluice-live' })
  const watchers = new Map<number, Watcher>()
  let lastId = 0
  const post = (message: FromTab) => worker.port.postMessage(message)
  worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => watchers.get(data.id)?.(data.news)
  addEventListener('pagehide', () => post({ do: 'leave' }))
  // From the back/forward cache the page returns with a closed port.
  addEventListener('pageshow', event => event.persisted && location.reload())
  return (stream, watcher) => {
    lastId += 1
    const id = lastId
    watchers.set(id, watcher)
    post({ do: 'watch', id, stream })
    return () => {
      watchers.delete(id)
      post({ do: 'unwatch', id })
    }
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string
  }
}

/** The page's Content-Security-Policy requires Trusted Types for script URLs; only the worker's own URL is one. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('sluice-worker', {
    createScriptURL: given => {
      if (given !== url) throw new TypeError(`${given} is not the script of a worker`)
      return given
    },
  })
  return policy?.createScriptURL(url) ?? url
}
