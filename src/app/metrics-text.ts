// The figures of all processes in Prometheus' text format, version 0.0.4. prom-client cannot take
// sums, only observations, so it provides just the process's own figures.

import { METRICS } from '../core/telemetry.ts'
import type { MetricDeclaration, MetricName } from '../core/telemetry.ts'
import type { MetricSample } from './meter.ts'

export type MetricsText = () => Promise<string>

/** Default metrics are those of the process that answers, with its prefix. */
export function createMetricsText(
  collect: () => readonly MetricSample[],
  prefix: 'weir_api_' | 'weir_supervisor_',
): MetricsText {
  let own: Promise<MetricsText> | null = null
  return async () => {
    own ??= openOwnFigures(prefix)
    return `${renderSamples(collect())}\n${await (await own)()}`
  }
}

/** At the first question: a Weir that nobody watches does without its three megabytes. */
async function openOwnFigures(prefix: string): Promise<MetricsText> {
  const { Registry, collectDefaultMetrics } = await import('prom-client')
  const register = new Registry()
  collectDefaultMetrics({ register, prefix })
  return () => register.metrics()
}

/** Metrics not yet counted are shown too: a rate needs the 0 that a count came from. */
export function renderSamples(samples: readonly MetricSample[]): string {
  const byMetric = Map.groupBy(samples, ({ metric }) => metric)
  const metrics = Object.entries(METRICS) as [MetricName, MetricDeclaration][]
  return metrics
    .map(([metric, declaration]) => {
      const { name, help, kind } = declaration
      const counted = byMetric.get(metric) ?? []
      const missing = expectedLabels(declaration)
        .filter((labels) => !counted.some((sample) => sample.labels.join() === labels.join()))
        .map((labels) => ({ metric, labels, value: 0 }))
      const lines = [...counted, ...missing].flatMap((sample) => toLines(declaration, sample))
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n')
    })
    .join('\n')
}

function expectedLabels(declaration: MetricDeclaration): readonly (readonly string[])[] {
  if (declaration.labels.length === 0) return [[]]
  if (declaration.kind === 'histogram') return []
  return declaration.values?.map((value) => [value]) ?? []
}

function toLines(
  declaration: MetricDeclaration,
  { labels, value, buckets }: MetricSample,
): string[] {
  const { name } = declaration
  const pairs = declaration.labels.map((label, at) => toPair(label, labels[at] ?? ''))
  if (declaration.kind !== 'histogram') return [`${name}${inBraces(pairs)} ${value}`]
  const lines: string[] = []
  let count = 0
  for (const [at, bound] of [...declaration.buckets, '+Inf'].entries()) {
    // Here a bucket counts all that is below its bound, so also the buckets before it.
    count += buckets?.[at] ?? 0
    lines.push(`${name}_bucket${inBraces([...pairs, toPair('le', String(bound))])} ${count}`)
  }
  const own = inBraces(pairs)
  return [...lines, `${name}_sum${own} ${value}`, `${name}_count${own} ${count}`]
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function toPair(label: string, value: string): string {
  return `${label}="${value.replaceAll(/[\\"\n]/g, (character) => ESCAPES[character] as string)}"`
}

function inBraces(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
