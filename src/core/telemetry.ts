// Every metric's name, declared once. Labels never hold a key, a user or a model.

export interface MetricDeclaration {
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge'
  readonly labels: readonly string[]
}

function counter(name: string, help: string, labels: readonly string[] = []): MetricDeclaration {
  return { name, help, kind: 'counter', labels }
}

function gauge(name: string, help: string, labels: readonly string[] = []): MetricDeclaration {
  return { name, help, kind: 'gauge', labels }
}

export const METRICS = {
  requests: counter('weir_requests_total', 'Calls that ended, by provider and how they ended.', [
    'provider',
    'status',
  ]),
  refusals: counter('weir_refusals_total', 'Calls that Weir itself refused, by error code.', [
    'code',
  ]),
  openCalls: gauge('weir_open_calls', 'Calls running now.'),
  clientConnections: gauge('weir_client_connections', "Callers' connections open now."),
  upstreamConnections: gauge('weir_upstream_connections', 'Connections to upstreams open now.'),
  tapOverflows: counter('weir_tap_overflows_total', 'Responses too large to be read to their end.'),
  tapFailures: counter(
    'weir_tap_failures_total',
    'Readers that failed; the caller noticed nothing.',
  ),
  dimsDropped: counter('weir_dims_dropped_total', 'Dimension pairs dropped as invalid.'),
  journalLines: counter('weir_journal_lines_total', 'Lines handed to the journal.'),
  journalDropped: counter(
    'weir_journal_dropped_total',
    'Lines lost because the disk failed and the buffer was full.',
  ),
  journalWriteFailures: counter(
    'weir_journal_write_failures_total',
    'Journal writes that failed and were kept for another try.',
  ),
  journalDamaged: counter(
    'weir_journal_damaged_lines_total',
    'Journal lines that did not match their checksum.',
  ),
  journalLag: gauge('weir_journal_lag_bytes', 'Journal bytes not yet in the usage store.'),
  ledgerRecords: counter(
    'weir_ledger_records_total',
    'Records written to the usage store, by cost source.',
    ['source'],
  ),
  ledgerFailures: counter(
    'weir_ledger_failures_total',
    'Batches that failed and were tried again.',
  ),
  settingsFailures: counter(
    'weir_settings_failures_total',
    'Reads of the settings store that failed; the last good settings stayed in force.',
  ),
  workerRestarts: counter(
    'weir_worker_restarts_total',
    'Processes that died and were started again.',
    ['role'],
  ),
} as const satisfies Record<string, MetricDeclaration>

export type MetricName = keyof typeof METRICS

/** Where rooms report to. Labels are given in the order in which they are declared. */
export interface Meter {
  add(metric: MetricName, amount: number, ...labels: readonly string[]): void
  set(metric: MetricName, value: number): void
}
