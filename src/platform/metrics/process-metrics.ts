import { collectDefaultMetrics, Registry } from 'prom-client'

let ofProcess: Registry | undefined

/**
 * Metrics of every process of Node, under the names that the usual dashboards know. There is one registry for a
 * process, however many services it contains (as in tests): the observers of the event loop and of garbage collections
 * cannot be stopped.
 */
export function processMetrics(): Registry {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
    for (const name of internals) ofProcess.removeSingleMetric(name)
  }
  return ofProcess
}

/** Collected by functions of Node that are not public; nodejs_active_resources reports the same. */
const internals = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
]
