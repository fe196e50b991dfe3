import { Counter, Gauge, Registry } from 'prom-client'

/** Metric with all of its samples, read at the moment of a scrape. */
export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  /** A sentence, without a full stop. */
  readonly help: string
  /** Samples; empty if there is nothing to report now, which is not the same as 0. */
  readonly samples: readonly Sample[]
}

export interface Sample {
  /** Label → value, with few values each; the same labels in each sample of a family. */
  readonly labels?: Labels
  readonly value: number
}

export type Labels = Readonly<Record<string, string>>

export const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  type: 'gauge',
  help,
  samples,
})

export const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  type: 'counter',
  help,
  samples,
})

/** The sample of a family without labels. */
export const only = (value: number): readonly Sample[] => [{ value }]

/** A separate registry for each scrape, so that samples of removed objects do not remain. */
export function registryOf(families: readonly Family[]): Registry {
  const registry = new Registry()
  for (const family of families) {
    const { name, help, samples } = family
    const config = { name, help, labelNames: Object.keys(samples[0]?.labels ?? {}), registers: [registry] }
    if (family.type === 'counter')
      fill(new Counter(config), samples, (metric, { labels = {}, value }) => metric.inc(labels, value))
    else fill(new Gauge(config), samples, (metric, { labels = {}, value }) => metric.set(labels, value))
  }
  return registry
}

function fill<Metric extends Counter | Gauge>(
  metric: Metric,
  samples: readonly Sample[],
  tell: (metric: Metric, sample: Sample) => void,
): void {
  // A metric without labels begins with 0.
  if (samples.length === 0) metric.remove()
  for (const sample of samples) tell(metric, sample)
}
