// Reads Prometheus' text format as its description is written, and no more than that: what a
// lenient scraper would let pass is an error here.

const FAMILY = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const PAIR = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=[a-zA-Z_])|$)/y
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|Nan)$/i
const KINDS = ['counter', 'gauge', 'histogram', 'summary']
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

export interface ParsedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface MetricFamily {
  readonly name: string
  readonly kind: string
  readonly help: string
  readonly samples: ParsedSample[]
}

export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, MetricFamily>()
  let help: { readonly name: string; readonly text: string } | null = null
  let family: MetricFamily | null = null
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, word, name = '', rest = ''] = FAMILY.exec(line) ?? []
    if (word === 'HELP') help = { name, text: rest }
    else if (word === 'TYPE') {
      if (help?.name !== name || families.has(name) || !KINDS.includes(rest)) fail(line)
      family = { name, kind: rest, help: help?.text ?? '', samples: [] }
      families.set(name, family)
    } else if (family === null) fail(line)
    else family.samples.push(parseSample(line, family))
  }
  for (const each of families.values()) checkFamily(each)
  return families
}

/** The value of the one series with these labels; undefined where there is none. */
export function findValue(
  families: ReadonlyMap<string, MetricFamily>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  const found = family?.samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )
  if (found !== undefined && found.length > 1) throw new Error(`${name} is more than one series`)
  return found?.[0]?.value
}

function parseSample(line: string, { name: family, kind }: MetricFamily): ParsedSample {
  const [, name = '', pairs = '', value = ''] = SAMPLE.exec(line) ?? []
  const suffixes = SUFFIXES[kind] ?? ['']
  if (!suffixes.some((suffix) => name === family + suffix) || !NUMBER.test(value)) fail(line)
  const labels: Record<string, string> = {}
  PAIR.lastIndex = 0
  for (let end = 0; end < pairs.length; end = PAIR.lastIndex) {
    const [, label = '', escaped = ''] = PAIR.exec(pairs) ?? fail(line)
    if (Object.hasOwn(labels, label)) fail(line)
    labels[label] = escaped.replaceAll(/\\(.)/g, (_, character: string) =>
      character === 'n' ? '\n' : character,
    )
  }
  return { name, labels, value: Number(value.replace(/inf$/i, 'Infinity')) }
}

function checkFamily({ name, kind, samples }: MetricFamily): void {
  const series = samples.map((sample) => `${sample.name} ${toKey(sample.labels)}`)
  if (new Set(series).size !== series.length) throw new Error(`${name} has a series twice`)
  if (kind !== 'histogram') return
  const groups = Map.groupBy(samples, ({ labels }) => toKey({ ...labels, le: '' }))
  for (const group of groups.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => Number(labels['le']?.replace('+Inf', 'Infinity')))
    const count = group.find((sample) => sample.name === `${name}_count`)?.value
    const counts = [...buckets.map(({ value }) => value), count ?? NaN]
    const isRising = (figures: readonly number[], step: (a: number, b: number) => boolean) =>
      figures.every((figure, at) => at === 0 || step(figures[at - 1] as number, figure))
    const isWhole = bounds.at(-1) === Infinity && counts.at(-2) === count
    const hasSum = group.some((sample) => sample.name === `${name}_sum`)
    if (!isWhole || !hasSum || !isRising(bounds, (a, b) => a < b))
      throw new Error(`${name} is torn`)
    if (!isRising(counts, (a, b) => a <= b)) throw new Error(`${name}'s buckets do not add up`)
  }
}

function toKey(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function fail(line: string): never {
  throw new Error(`not in Prometheus' text format: ${line}`)
}
