// Every metric's name, declared once. Labels never contain a key, a user or a model: their values
// come from lists that callers cannot extend. A test compares them with docs/operating/metrics.md.

interface Declaration {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export interface CountedDeclaration extends Declaration {
  readonly kind: 'counter' | 'gauge'
  /** The values of the one label, where they are known: they are shown from the start, at 0. */
  readonly values?: readonly string[]
}

export interface HistogramDeclaration extends Declaration {
  readonly kind: 'histogram'
  /** Upper bounds, inclusive and rising, in seconds. */
  readonly buckets: readonly number[]
}

export type MetricDeclaration = CountedDeclaration | HistogramDeclaration

function counter(name: string, help: string, labels: readonly string[] = []) {
  return { name, help, kind: 'counter', labels } as const
}

function counterOf(name: string, help: string, known: Readonly<Record<string, readonly string[]>>) {
  const values = Object.values(known).flat()
  return { name, help, kind: 'counter', labels: Object.keys(known), values } as const
}

function gauge(name: string, help: string) {
  return { name, help, kind: 'gauge', labels: [] } as const
}

interface HistogramOptions {
  readonly buckets: readonly number[]
  readonly labels?: readonly string[]
}

function histogram(name: string, help: string, { buckets, labels = [] }: HistogramOptions) {
  return { name, help, kind: 'histogram', labels, buckets } as const
}

export const LIMITS = [
  'head_bytes',
  'head_count',
  'head_time',
  'body_time',
  'client_connections',
  'client_cut',
  'api_connections',
  'api_cut',
  'api_questions',
  'client_idle',
  'upstream_connections',
  'connect_time',
  'first_byte_time',
  'informational_count',
  'stream_idle',
  'tunnel_idle',
  'policy_body_bytes',
  'policy_held_bytes',
  'policy_decodes',
  'estimate_bytes',
  'key_waits',
] as const

export const SIGN_IN_RESULTS = ['done', 'wrong', 'wait'] as const
export type SignInResult = (typeof SIGN_IN_RESULTS)[number]

export const PRICE_UPDATE_FAULTS = [
  'unreachable',
  'timeout',
  'http_error',
  'redirect',
  'too_large',
  'invalid',
] as const
export type PriceUpdateFault = (typeof PRICE_UPDATE_FAULTS)[number]

export const PRICE_UPDATE_RESULTS = [
  'unchanged',
  'available',
  'applied',
  'waiting',
  ...PRICE_UPDATE_FAULTS,
] as const
export type PriceUpdateResult = (typeof PRICE_UPDATE_RESULTS)[number]

export const METRICS = {
  requests: counter('weir_requests_total', 'Calls that ended, by provider and how they ended.', [
    'provider',
    'status',
    'class',
  ]),
  refusals: counter('weir_refusals_total', 'Calls that Weir itself refused, by error code.', [
    'code',
  ]),
  refusalsUnrecorded: counter(
    'weir_refusals_unrecorded_total',
    'Of these, calls that were only counted: their key had too many in a minute.',
  ),
  addedTime: histogram('weir_added_seconds', 'Time that Weir itself added to a call.', {
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  }),
  firstByte: histogram(
    'weir_first_byte_seconds',
    'From sending the request to the first byte of the response.',
    { buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600], labels: ['provider'] },
  ),
  credentialsUnreadable: gauge(
    'weir_credentials_unreadable',
    'Files of stored credentials that cannot be read at the moment, over all workers.',
  ),
  credentialsTakenOut: counter(
    'weir_credentials_taken_out_total',
    'Headers and trailers of answers that repeated a stored credential; it was taken out.',
    ['provider'],
  ),
  openCalls: gauge('weir_open_calls', 'Calls running now.'),
  openStreams: gauge('weir_open_streams', 'Streamed responses and tunnels open now.'),
  clientConnections: gauge('weir_client_connections', "Callers' connections open now."),
  upstreamConnections: gauge('weir_upstream_connections', 'Connections to upstreams open now.'),
  limitsHit: counterOf('weir_limits_hit_total', 'Times a limit was reached.', { limit: LIMITS }),
  tlsFailures: counter(
    'weir_tls_handshake_failures_total',
    'TLS handshakes on the ports of the proxy and the API that failed.',
  ),
  tapOverflows: counter(
    'weir_tap_overflows_total',
    'Responses too large, or too much work, to be read to the end.',
  ),
  tapFailures: counter(
    'weir_tap_failures_total',
    'Readers that failed; the caller noticed nothing.',
  ),
  sseSkipped: counter(
    'weir_tap_skipped_events_total',
    'Stream events too large to be read; the rest was.',
  ),
  policyFailures: counter(
    'weir_policy_failures_total',
    'Requests refused because the reader of their models failed.',
  ),
  providerFailures: counter(
    'weir_provider_failures_total',
    "Failures in a provider's own code; callers got their bytes.",
    ['provider', 'operation'],
  ),
  policyViolations: counter(
    'weir_policy_violations_total',
    "Calls in which a model ran that the key's policy does not allow.",
  ),
  budgetMembersUntold: counter(
    'weir_budget_members_untold_total',
    'Times that a rule for each had more members with spend than are told to the proxies.',
  ),
  limiterUnanswered: counter(
    'weir_gate_unanswered_total',
    'Calls that the limit bank did not answer: let through, or refused.',
  ),
  reservedCalls: gauge(
    'weir_reserved_calls',
    'Calls running now that limits or blocking budgets count.',
  ),
  estimates: counterOf(
    'weir_estimates_total',
    'Calls whose tokens were to be counted from their text, by result.',
    { result: ['made', 'none', 'queue_full', 'late', 'failed'] },
  ),
  dimsDropped: counter('weir_dims_dropped_total', 'Dimension pairs dropped as invalid.'),
  journalLines: counter('weir_journal_lines_total', 'Lines handed to the journal.'),
  journalDropped: counter(
    'weir_journal_dropped_total',
    'Lines lost because the disk failed and the buffer was full.',
  ),
  journalWriteFailures: counter(
    'weir_journal_write_failures_total',
    'Journal writes that failed and will be retried.',
  ),
  journalRefusing: gauge(
    'weir_journal_refusing',
    'Workers whose disk does not take journal lines at the moment.',
  ),
  journalDamaged: counter(
    'weir_journal_damaged_lines_total',
    'Journal lines that did not match their checksum.',
  ),
  journalMissing: counter(
    'weir_journal_missing_lines_total',
    'Journal lines that are missing from the sequence.',
  ),
  journalUnread: counter(
    'weir_journal_unread_lines_total',
    'Whole journal lines that this Weir does not understand; they were put aside.',
  ),
  journalLag: gauge('weir_journal_lag_bytes', 'Journal bytes not yet in the usage store.'),
  journalLagSeconds: gauge(
    'weir_journal_lag_seconds',
    'Age of the oldest journal line not yet in the usage store.',
  ),
  ledgerRecords: counter(
    'weir_ledger_records_total',
    'Records written to the usage store, by cost source.',
    ['source'],
  ),
  ledgerFailures: counter(
    'weir_ledger_failures_total',
    'Batches that failed and were tried again.',
  ),
  deadLetters: counter(
    'weir_dead_letters_total',
    'Events that could not be stored and were put aside.',
  ),
  callsForwarded: gauge('weir_calls_forwarded', 'Calls that were forwarded, since the beginning.'),
  callsRecorded: gauge('weir_calls_recorded', 'Of these, the calls that are on record.'),
  callsPending: gauge(
    'weir_calls_pending',
    'Of these, the calls that are running or waiting in a journal.',
  ),
  callsDead: gauge('weir_calls_dead', 'Of these, the calls that were put aside.'),
  callsLost: gauge('weir_calls_lost', 'Of these, the calls that cannot be accounted for.'),
  recordsRemoved: counter(
    'weir_records_removed_total',
    'Records that were removed because of their age.',
  ),
  alertDeliveries: counterOf(
    'weir_alert_deliveries_total',
    'Attempts to deliver an alert, by result.',
    { result: ['delivered', 'failed', 'given_up'] },
  ),
  alertsPending: gauge('weir_alerts_pending', 'Deliveries of alerts still to be made, up to 1000.'),
  telemetrySpans: counterOf(
    'weir_telemetry_spans_total',
    'Calls for the collector of telemetry, by what became of their spans.',
    { result: ['exported', 'unsampled', 'queue_full', 'failed'] },
  ),
  priceDataAge: gauge('weir_price_data_age_seconds', 'Age of the price data.'),
  priceUpdates: counterOf(
    'weir_price_updates_total',
    'Updates and checks of the price data, daily or from the console, by result.',
    { result: PRICE_UPDATE_RESULTS },
  ),
  clockJumps: counter(
    'weir_clock_jumps_total',
    'Times the machine clock was changed by a second or more while a process ran.',
  ),
  settingsFailures: counter(
    'weir_settings_failures_total',
    'Reads of the settings store that failed; the last good settings stayed in force.',
  ),
  signIns: counterOf('weir_sign_ins_total', 'Attempts to sign in, by result.', {
    result: SIGN_IN_RESULTS,
  }),
  unknownGroups: counter(
    'weir_unknown_groups_total',
    'Groups of users who signed in through the identity provider that gave them nothing.',
  ),
  reloads: counterOf('weir_reloads_total', 'Reloads of the configuration, by result.', {
    result: ['done', 'refused', 'failed'],
  }),
  silentProcesses: gauge(
    'weir_silent_processes',
    'Processes that have not answered their supervisor for ten seconds.',
  ),
  workerRestarts: counterOf(
    'weir_worker_restarts_total',
    'Processes that died and were started again.',
    { role: ['proxy', 'ledger', 'api'] },
  ),
  seriesDropped: counter(
    'weir_series_dropped_total',
    'Values dropped because there were too many series.',
  ),
} as const satisfies Record<string, MetricDeclaration>

export type MetricName = keyof typeof METRICS

type NameOf<Kind extends MetricDeclaration['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never
}[MetricName]

export type CountedName = NameOf<'counter' | 'gauge'>
export type GaugeName = NameOf<'gauge'>
export type HistogramName = NameOf<'histogram'>

export interface Series {
  add(amount: number): void
}

export interface HistogramSeries {
  /** In seconds. */
  observe(value: number): void
}

/** Where rooms report metrics. Labels are given in the order in which they are declared. */
export interface Meter {
  add(metric: CountedName, amount: number, ...labels: readonly string[]): void
  set(metric: GaugeName, value: number): void
  /** For a series that is counted on every call: looked up once, since joining labels is slow. */
  counter(metric: CountedName, ...labels: readonly string[]): Series
  histogram(metric: HistogramName, ...labels: readonly string[]): HistogramSeries
}
