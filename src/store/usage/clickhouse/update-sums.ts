// Brings the sums by month up to date: calls that came to count since are added up in a new
// generation, together with younger ones that are not much larger. It counts from the moment at
// which the ledger database says so. Must stay true: each call that counts is in the generations
// that count once, or in none and of a later batch; a kill at any moment leaves rows that never
// count.

import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { CallBatches, CountedBatches } from '../../ledger/call-batches.ts'
import { countRows, isCounting, isWhole, parseKeptSums, readKeptSums } from './kept-sums.ts'
import type { Generation, KeptSums } from './kept-sums.ts'
import { toConditionSince } from './batch-condition.ts'
import { FIGURE_NAMES, selectSums } from './select-sums.ts'
import type { SumSource } from './select-sums.ts'

/** Up to as many, sums are fast whatever they are of. */
const ROWS_MIN = 1_000_000
/** With fewer calls a row than that, sums are no better than calls. */
const CALLS_PER_ROW_MIN = 3
/** Where no dimension has as many, none is the one that makes the rows. */
const VALUES_MIN = 100
/** All sums are written again for each that is left out, and callers choose the names. */
const LEFT_OUT_MAX = 16
/** What a generation may be larger than all that is added to it. */
const GROWTH = 2

/** Added up by one statement: some minutes of work. */
const CALLS_MAX = 50_000_000

export interface UpdateOptions {
  readonly rowsMin?: number
  readonly callsMax?: number
}

/** Null while there are no calls. */
export async function updateSums(
  calls: ClickhouseDatabase,
  callBatches: CallBatches,
  options: UpdateOptions = {},
): Promise<KeptSums | null> {
  for (;;) {
    const { kept, isDone } = await addGeneration(calls, callBatches, options)
    // What was left out makes a generation that is written again.
    if (isDone && !kept?.generations.some(({ isWide }) => isWide)) return kept
  }
}

interface Added {
  readonly kept: KeptSums | null
  /** False where more calls came to count than are added at once. */
  readonly isDone: boolean
}

async function addGeneration(
  calls: ClickhouseDatabase,
  callBatches: CallBatches,
  { rowsMin = ROWS_MIN, callsMax = CALLS_MAX }: UpdateOptions,
): Promise<Added> {
  const { text, batches, keptFromMs } = await callBatches.readSnapshot(async (sql) => ({
    text: await callBatches.readSums(sql),
    batches: await callBatches.readBatches(sql),
    keptFromMs: await callBatches.readKeptFrom(sql),
  }))
  const stored = await countRows(calls)
  const known = parseKeptSums(text)
  // After a restore of the ledger database what it names may be gone: the calls are summed from the
  // first on.
  const kept = known !== null && isWhole(known, stored) ? known : startOver(keptFromMs)
  await dropOthers(calls, kept, stored)
  const wanted = toConditionSince(kept.of, batches)
  const count = wanted === null ? 0 : await countCalls(calls, wanted)
  const isDone = count <= callsMax
  const now = isDone
    ? batches
    : await cutBatches(calls, batches, { summed: kept.of, share: callsMax / count })
  const merged = pickMerged(kept.generations, Math.min(count, callsMax))
  if (count === 0 && !merged.some(({ isWide }) => isWide)) return { kept: known, isDone }
  // A restored ledger database might give a number again.
  await callBatches.skip(Math.max(0, ...stored.keys()))
  const number = await callBatches.take()
  const added = toConditionSince(kept.of, now)
  await writeGeneration(calls, { ...kept, generations: merged }, { number, added })
  const generation = await readGeneration(calls, number)
  const others = kept.generations.filter((one) => !merged.includes(one))
  const isWide =
    kept.leftOut !== null &&
    others.length === 0 &&
    generation.endedRows > Math.max(rowsMin, generation.endedCalls / CALLS_PER_ROW_MIN)
  const next: KeptSums = {
    of: now,
    generations: [...others, { number, rows: generation.rows, isWide }],
    fromMs: kept.fromMs,
    leftOut: isWide ? await leaveOut(calls, number, kept.leftOut) : kept.leftOut,
  }
  const isReplaced = await callBatches.replaceSums(text, JSON.stringify(next))
  // No call has this number, so that it need not be hidden.
  await callBatches.forget({ from: number, to: number })
  if (isReplaced) return { kept: next, isDone }
  // Somebody else was faster: what they have made counts.
  return { kept: await callBatches.readSnapshot((sql) => readKeptSums(callBatches, sql)), isDone }
}

function startOver(fromMs: number): KeptSums {
  return { of: NOTHING, generations: [], fromMs, leftOut: [] }
}

const NOTHING: CountedBatches = { last: 0, hidden: [] }

/**
 * A generation is replaced only by whoever knew the ledger database before its own number was
 * taken: so what is older than the youngest that counts and does not count, never will.
 */
async function dropOthers(
  calls: ClickhouseDatabase,
  { generations }: KeptSums,
  stored: ReadonlyMap<number, number>,
): Promise<void> {
  const counting = generations.map(({ number }) => number)
  const youngest = Math.max(0, ...counting)
  for (const number of stored.keys()) {
    if (number < youngest && !counting.includes(number)) {
      await calls.run(`ALTER TABLE month_sums DROP PARTITION ${number}`)
    }
  }
}

async function countCalls(calls: ClickhouseDatabase, where: string): Promise<number> {
  const [row] = await calls.all<{ found: number }>(
    `SELECT count() AS found FROM calls WHERE ${where}`,
  )
  return row?.found ?? 0
}

/** The moment after about that share of the calls that came to count; never before `summed`. */
async function cutBatches(
  calls: ClickhouseDatabase,
  { last, hidden }: CountedBatches,
  { summed, share }: { readonly summed: CountedBatches; readonly share: number },
): Promise<CountedBatches> {
  const [row] = await calls.all<{ upTo: number }>(
    `SELECT toUInt64(quantile(${share})(batch)) AS upTo FROM calls
      WHERE ${toConditionSince(summed, { last, hidden })}`,
  )
  const cut = Math.max(summed.last, row?.upTo ?? last)
  const before = hidden.filter(({ from }) => from <= cut)
  return { last: cut, hidden: before.map(({ from, to }) => ({ from, to: Math.min(to, cut) })) }
}

/** The youngest, so that there are few, and each is written again as often as it has doubled. */
function pickMerged(generations: readonly Generation[], added: number): readonly Generation[] {
  let rows = added
  let first = generations.length
  for (const [index, generation] of [...generations.entries()].toReversed()) {
    const isRewritten = generations.slice(0, index + 1).some(({ isWide }) => isWide)
    if (!isRewritten && generation.rows > GROWTH * rows) break
    rows += generation.rows
    first = index
  }
  return generations.slice(first)
}

const KEYS = ['month', 'key_id', 'provider', 'model', 'status', 'cost_source'] as const

async function writeGeneration(
  calls: ClickhouseDatabase,
  merged: KeptSums,
  { number, added }: { readonly number: number; readonly added: string | null },
): Promise<void> {
  const { generations, leftOut } = merged
  const isKept = leftOut === null ? 'FALSE' : 'NOT has({leftOut:Array(String)}, name)'
  const sources: SumSource[] = added === null ? [] : [{ table: 'calls', where: added }]
  if (generations.length > 0) sources.push({ table: 'month_sums', where: isCounting(merged) })
  const sums = selectSums({
    keys: [...KEYS, `mapSort(mapFilter((name, value) -> ${isKept}, dims))`],
    sources,
    hasLatencies: true,
  })
  const columns = ['generation', ...KEYS, 'dims', ...FIGURE_NAMES]
  await calls.insertFrom(
    `INSERT INTO month_sums (${columns.join(', ')}) SELECT ${number}, * FROM (${sums})`,
    { leftOut: leftOut ?? [] },
  )
}

/** What there is of months that have ended: in their first days, most rows are of one call. */
async function readGeneration(
  calls: ClickhouseDatabase,
  number: number,
): Promise<{ readonly rows: number; readonly endedRows: number; readonly endedCalls: number }> {
  const from = `FROM month_sums WHERE generation = ${number}`
  const hasEnded = `month < (SELECT max(month) ${from})`
  const [row] = await calls.all<{ rows: number; endedRows: number; endedCalls: number }>(
    `SELECT count() AS rows, countIf(${hasEnded}) AS endedRows,
      sumIf(requests + denials, ${hasEnded}) AS endedCalls ${from}`,
  )
  return row ?? { rows: 0, endedRows: 0, endedCalls: 0 }
}

/** The dimension with the most values; all of them where none has many, or many were left out. */
async function leaveOut(
  calls: ClickhouseDatabase,
  number: number,
  leftOut: readonly string[] | null,
): Promise<readonly string[] | null> {
  const [widest] = await calls.all<{ name: string; found: number }>(
    `SELECT name, uniq(value) AS found FROM month_sums
      ARRAY JOIN mapKeys(dims) AS name, mapValues(dims) AS value
      WHERE generation = ${number} GROUP BY name ORDER BY found DESC LIMIT 1`,
  )
  const isLast = (leftOut?.length ?? 0) >= LEFT_OUT_MAX
  if (widest === undefined || widest.found < VALUES_MIN || isLast) return null
  return [...(leftOut ?? []), widest.name]
}
