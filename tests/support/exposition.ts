import assert from 'node:assert/strict'

/** A metric in a scrape. */
export interface Scraped {
  readonly type: string
  readonly help: string
  readonly samples: readonly ScrapedSample[]
}

interface ScrapedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`)
const number = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|Na[Nn]|[+-]Inf)$/

/** Parses the text format of Prometheus, and fails on violations of it or its conventions. */
export function readExposition(text: string): Map<string, Scraped> {
  assert.ok(text.endsWith('\n'), 'the last line ends too')
  const families = new Map<string, { type: string; help: string; samples: ScrapedSample[] }>()
  const seen = new Set<string>()
  let of = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, kind, about = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      assert.match(about, new RegExp(`^${name}$`))
      assert.ok(!families.has(about), `${about} is told twice`)
      of = about
      families.set(about, { type: '', help: rest, samples: [] })
      continue
    }
    const family = families.get(of)
    assert.ok(family, `${line} stands before any HELP`)
    if (kind === 'TYPE') {
      assert.equal(about, of)
      assert.ok(family.type === '' && family.samples.length === 0, `TYPE of ${of} comes once, before its samples`)
      assert.match(rest, /^(?:counter|gauge|histogram)$/)
      family.type = rest
      continue
    }
    const [, sample = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
    assert.ok(sample, `no sample: ${line}`)
    assert.match(value, number, line)
    assert.ok(family.type, `${of} has no TYPE`)
    const suffixes = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    assert.ok(suffixes.includes(sample.slice(of.length)) && sample.startsWith(of), `${line} is not of ${of}`)
    const series = line.slice(0, line.lastIndexOf(' '))
    assert.ok(!seen.has(series), `${series} is told twice`)
    seen.add(series)
    family.samples.push({ name: sample, labels: labelsOf(labels), value: numberOf(value) })
  }
  for (const [each, family] of families) judge(each, family)
  return families
}

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [
      key,
      value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped)),
    ]),
  )

const numberOf = (text: string): number =>
  text.endsWith('Inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text)

function judge(name: string, { type, samples }: Scraped): void {
  // The library has names of its own that violate them.
  if (name.startsWith('sluice_')) assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
  const shapes = new Set(
    samples.map(({ labels }) =>
      Object.keys(labels)
        .filter(key => key !== 'le')
        .join(' '),
    ),
  )
  assert.ok(shapes.size <= 1, `${name} has the same labels each time`)
  if (type !== 'gauge') for (const { value } of samples) assert.ok(value >= 0, `${name} is ${value}`)
  if (type === 'histogram') judgeHistogram(name, samples)
}

function judgeHistogram(name: string, samples: readonly ScrapedSample[]): void {
  const ofOne = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, all] of ofOne) {
    const buckets = all.filter(sample => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le = '' } }) => numberOf(le))
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
      `${name} ${labels}`,
    )
    assert.equal(bounds.at(-1), Infinity)
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      `${name} ${labels} counts upwards`,
    )
    const count = all.find(sample => sample.name === `${name}_count`)
    assert.equal(count?.value, counts.at(-1), `${name} ${labels}`)
    assert.ok(all.some(sample => sample.name === `${name}_sum`))
  }
}

/** The sum of all samples of this name with these labels; undefined when there is none. */
export function sumOf(
  scraped: Map<string, Scraped>,
  family: string,
  labels: Record<string, string> = {},
  suffix = '',
): number | undefined {
  const found = (scraped.get(family)?.samples ?? []).filter(
    sample =>
      sample.name === `${family}${suffix}` &&
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  return found.length > 0 ? found.reduce((sum, { value }) => sum + value, 0) : undefined
}
