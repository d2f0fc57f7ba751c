// What one call adds to the sums for analysis. Must stay true: each call is in exactly one row of
// its hour, and a change of its cost or its team moves it without counting it again.

import { totalTokens } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { Cost } from '../../core/usage-record.ts'
import { LATENCY_KINDS } from './analysis.ts'
import type { LatencyKind } from './analysis.ts'
import { LATENCY_BUCKETS, toLatencyBucket } from './latency-buckets.ts'
import { createPartTable } from './block-table.ts'
import type { BlockFigure, BlockTable, RowNames } from './block-table.ts'
import { CALL_TOKENS_MAX } from './rollup.ts'

export type AnalyzedEvent = Pick<
  UsageEvent,
  | 'status'
  | 'startedAt'
  | 'firstByteAt'
  | 'streamed'
  | 'endedAt'
  | 'keyId'
  | 'provider'
  | 'model'
  | 'dims'
  | 'tokens'
  | 'usage'
  | 'ownMicros'
> & { readonly billing: Pick<NonNullable<UsageEvent['billing']>, 'marketCost'> | null }

export type AnalyzedCost = Pick<Cost, 'amount' | 'source'>

interface AnalyzedRecord {
  readonly event: AnalyzedEvent
  readonly cost: AnalyzedCost
}

/** Names as ids. */
export interface NameIds {
  readonly idOf: (name: string) => number
  /** False for a dimension that has no column: callers may make up any number. */
  readonly hasDim: (asker: SlotAsker, dim: number) => boolean
  /** False for a value that is not kept apart: it is then `other`. */
  readonly isKept: (asker: SlotAsker, dim: number, value: number) => boolean
}

/** Whose places for names and values are asked for. */
export interface SlotAsker {
  /** 202610, or -202610: what refused calls bring takes no place from those that were forwarded. */
  readonly month: number
  readonly key: number
}

/** No value of a dimension has control characters. It also is the dimension of those left out. */
export const OTHER_NAME = '\u0000other'

export function toPlaceAsker(
  { status, keyId }: Pick<UsageEvent, 'status' | 'keyId'>,
  month: number,
  idOf: NameIds['idOf'],
): SlotAsker {
  return { month: status === 'denied' ? -month : month, key: idOf(keyId ?? OTHER_NAME) }
}

export interface AnalysisRows {
  add(event: AnalyzedEvent, cost: AnalyzedCost): void
  /** For a call already summed: moves it to where it now belongs. */
  change(before: AnalyzedRecord, after: AnalyzedRecord): void
  /** By hour as 2026101512. */
  hours(): ReadonlyMap<number, BlockTable>
}

export function createAnalysisRows(
  ids: NameIds,
  createTable: () => BlockTable = createPartTable,
): AnalysisRows {
  const hours = new Map<number, BlockTable>()
  const toHour = createHourFormat()

  function put(event: AnalyzedEvent, cost: AnalyzedCost, times: 1 | -1): void {
    const hour = toHour(event.endedAt)
    let table = hours.get(hour)
    if (table === undefined) {
      table = createTable()
      hours.set(hour, table)
    }
    const { names, isCapped } = toNames(event, cost, { ids, month: Math.floor(hour / 10_000) })
    const row = table.findRow(names)
    if (row === -1) return
    addCall(table, row, { event, cost, times })
    if (isCapped) table.add(row, 'capped', times)
  }

  return {
    add: (event, cost) => put(event, cost, 1),
    change(before, after) {
      put(before.event, before.cost, -1)
      put(after.event, after.cost, 1)
    },
    hours: () => hours,
  }
}

function toNames(
  event: AnalyzedEvent,
  cost: AnalyzedCost,
  { ids, month }: { ids: NameIds; month: number },
): { names: RowNames; isCapped: boolean } {
  const { idOf } = ids
  const dims: [number, number][] = []
  const asker = toPlaceAsker(event, month, idOf)
  let isCapped = false
  let isShort = false
  for (const key in event.dims) {
    const [dim, value] = [idOf(key), idOf(event.dims[key] as string)]
    if (!ids.hasDim(asker, dim)) {
      isShort = true
      continue
    }
    const isKept = ids.isKept(asker, dim, value)
    if (!isKept) isCapped = true
    dims.push([dim, isKept ? value : idOf(OTHER_NAME)])
  }
  // What it lacks may be any dimension that is asked for: it is not untagged.
  if (isShort) dims.push([idOf(OTHER_NAME), idOf(OTHER_NAME)])
  if (dims.length > 1) dims.sort(([one], [other]) => one - other)
  const { keyId, provider, model, status } = event
  const plain = [keyId ?? '', provider, model ?? '', status, cost.source]
  return { names: { ids: plain.map(idOf), dims }, isCapped: isCapped || isShort }
}

const FAILED: ReadonlySet<string> = new Set(['refused', 'cut', 'interrupted'])
const ESTIMATED: ReadonlySet<string> = new Set(['estimated', 'partial'])

interface Call {
  readonly event: AnalyzedEvent
  readonly cost: AnalyzedCost
  readonly times: 1 | -1
}

function addCall(table: BlockTable, row: number, { event, cost, times }: Call): void {
  const add = (figure: BlockFigure, amount: number): void => table.add(row, figure, times * amount)
  // A denied call reached nobody: it is counted, and nothing else of it.
  if (event.status === 'denied') {
    add('denials', 1)
    return
  }
  add('requests', 1)
  if (FAILED.has(event.status)) add('errors', 1)
  if (cost.amount === null) add('unpriced', 1)
  if (ESTIMATED.has(event.usage)) add('estimated', 1)
  const amount = cost.amount ?? 0n
  const market = event.billing?.marketCost ?? amount
  table.addMoney(row, 'cost', amount * BigInt(times))
  if (market !== amount) table.addMoney(row, 'more', (market - amount) * BigInt(times))
  if (event.tokens !== null && isCountable(event.tokens)) addTokens(event.tokens, add)
  if (event.status === 'delivered' && event.tokens !== null && isCountable(event.tokens)) {
    add('timedMs', Math.max(0, event.endedAt - event.startedAt))
    add('timedOutput', event.tokens.output)
  }
  for (const [kind, time] of listTimes(event)) {
    if (time !== null) table.addLatency(row, toLatencyCode(kind, time), times)
  }
}

/** A part that is no count, such as NaN, would spoil the sum of its row. */
function addTokens(
  tokens: TokenCounts,
  addAny: (figure: BlockFigure, amount: number) => void,
): void {
  const add = (figure: BlockFigure, amount: number): void => {
    if (amount > 0) addAny(figure, amount)
  }
  add('input', tokens.input)
  add('output', tokens.output)
  add('cacheRead', tokens.cacheRead)
  if (tokens.cacheRead > 0) add('cached', 1)
  add('cacheWrite', tokens.cacheWrite5m + tokens.cacheWrite1h)
  add('inputAudio', tokens.inputAudio)
  add('inputImage', tokens.inputImage)
  add('reasoning', tokens.reasoning)
  add('outputAudio', tokens.outputAudio)
  add('outputImage', tokens.outputImage)
}

/** A larger count is a provider's error: only the record keeps it. Parts are within their whole. */
function isCountable(tokens: TokenCounts): boolean {
  const total = totalTokens(tokens)
  return Number.isSafeInteger(total) && total >= 0 && total <= CALL_TOKENS_MAX
}

export function toLatencyCode(kind: LatencyKind, time: number): number {
  return LATENCY_KINDS.indexOf(kind) * LATENCY_BUCKETS + toLatencyBucket(time)
}

// The end of a call that broke off is no time of the provider's.
function listTimes(event: AnalyzedEvent): [LatencyKind, number | null][] {
  const { startedAt, firstByteAt, endedAt, ownMicros, status, streamed } = event
  const isWhole = status === 'delivered' || status === 'refused'
  const totalMs = isWhole ? endedAt - startedAt : null
  return [
    ['firstByteMs', firstByteAt === null || !streamed ? null : firstByteAt - startedAt],
    ['totalMs', totalMs],
    ['ownMicros', ownMicros ?? null],
    ['unstreamedMs', streamed ? null : totalMs],
  ]
}

const HOUR_MS = 3_600_000

// Records of a batch nearly always share their hour, so it is formatted once.
export function createHourFormat(): (atMs: number) => number {
  let lastIndex = Number.NaN
  let lastHour = 0
  return (atMs) => {
    const index = Math.floor(atMs / HOUR_MS)
    if (index !== lastIndex) {
      lastIndex = index
      lastHour = Number(new Date(index * HOUR_MS).toISOString().slice(0, 13).replaceAll(/\D/g, ''))
    }
    return lastHour
  }
}
