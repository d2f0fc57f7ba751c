// Changes the costs of stored records. Must stay true: a record's cost, its rollups and the audit
// line change in one transaction; a record whose cost has changed since it was read is left alone.

import type { DatabaseSync } from 'node:sqlite'
import { WeirError } from '../../../core/weir-error.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { createAnalysisRows } from '../analysis-rows.ts'
import type { ChangedCost } from '../record-engine.ts'
import { createRollups } from '../rollup.ts'
import type { Rollups } from '../rollup.ts'
import { createPartWriter } from './analysis/part-writer.ts'
import { createKeptValues } from './analysis/kept-values.ts'
import { createNames } from './names.ts'
import type { Names } from './names.ts'
import { fromRecordRow, parseIdBytes, toStoredMoney } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import { addMonths, createChangedMonths, isSameCost, requireWhole } from '../changed-months.ts'
import { toDollars } from '../sql/figure-columns.ts'
import { COST_CHANGES, fromRepricing } from '../sql/repricings.ts'
import { ROLLUP_TABLES } from '../sql/rollup-tables.ts'
import { addSum, prepareAddition } from './rollup-rows.ts'
import { addRepricedMonths, readRepricedMonths } from './repriced-months.ts'
import type { CostChange, RepricedMonth, Repricing, UsageUpkeep } from '../usage-upkeep.ts'
import { SELECT_RECORDS } from './dialect.ts'

type ChangeLine = Parameters<UsageUpkeep['changeCosts']>[1]

export function changeCosts(
  file: SqliteFile,
  changes: readonly CostChange[],
  line: ChangeLine,
): Repricing {
  return file.transact(() => writeChanges(file, writeCosts(file, changes), { line }))
}

export interface WrittenChanges {
  readonly line: ChangeLine
  /** False where analysis has no sums of its own. */
  readonly hasParts?: boolean
}

/** The sums, prices and audit line of changed costs, in the transaction that changes these. */
export function writeChanges(
  file: SqliteFile,
  changes: Iterable<ChangedCost>,
  { line, hasParts = true }: WrittenChanges,
): Repricing {
  const months = createChangedMonths()
  const rollups = createRollups()
  const names = createNames(file.database)
  const kept = createKeptValues(file.database)
  const analyzed = createAnalysisRows({ ...kept, idOf: names.idOf })
  for (const { event, before, after } of changes) {
    rollups.changeCost(event, { before, after })
    if (hasParts) analyzed.changeCost(event, { before, after })
    months.add(event, { before, after })
  }
  addSums(file.database, rollups, names)
  createPartWriter(file.database).append(analyzed.hours())
  const putPrice = file.prepare('INSERT OR IGNORE INTO prices VALUES (?, ?)')
  for (const { version, sheet } of line.prices) putPrice.run(version, sheet)
  return writeLine(file, line, months.list())
}

function* writeCosts(file: SqliteFile, changes: readonly CostChange[]): Generator<ChangedCost> {
  const select = file.prepare<Row>(`${SELECT_RECORDS} WHERE id = ?`)
  const update = file.prepare(
    'UPDATE records SET cost_pico = ?, cost_source = ?, price_version = ? WHERE id = ?',
  )
  for (const { id, before, after } of changes) {
    requireWhole(id, after)
    const bytes = parseIdBytes(id)
    const row = bytes === null ? null : select.first(bytes)
    if (bytes === null || row === null) continue
    const { event, cost } = fromRecordRow(row)
    if (!isSameCost(cost, before)) continue
    const amount = after.amount === null ? null : toStoredMoney(after.amount)
    update.run(amount, after.source, after.priceVersion, bytes)
    yield { event, before, after }
  }
}

function addSums(database: DatabaseSync, rollups: Rollups, names: Names): void {
  for (const { name, key, sumsOf } of ROLLUP_TABLES) {
    const addition = prepareAddition(database, key, name)
    for (const sum of sumsOf(rollups)) addSum(addition, sum, names)
  }
}

function writeLine(
  file: SqliteFile,
  { repricing, at, who, what }: ChangeLine,
  months: readonly RepricedMonth[],
): Repricing {
  const id = repricing ?? createLine(file, { at, who, what })
  const known = readRepricing(file, id)
  const { records, before, after } = addMonths(known, months)
  const update = file.prepare(`UPDATE repricings SET records = ?, before_usd = ?, before_pico = ?,
    after_usd = ?, after_pico = ? WHERE id = ?`)
  update.run(records, ...toDollars(before), ...toDollars(after), id)
  addRepricedMonths(file, id, months)
  return { ...known, records, before, after, months: readRepricedMonths(file, id) }
}

function createLine(
  file: SqliteFile,
  { at, who, what }: Pick<ChangeLine, 'at' | 'who' | 'what'>,
): number {
  const insert = file.database.prepare(`INSERT INTO repricings
    (at, who, what, records, before_usd, before_pico, after_usd, after_pico)
    VALUES (?, ?, ?, 0, 0, 0, 0, 0)`)
  return Number(insert.run(at, who, what).lastInsertRowid)
}

function readRepricing(file: SqliteFile, id: number): Repricing {
  const [line] = selectRepricings(file, 'WHERE id = ?', id)
  if (line !== undefined) return line
  throw new WeirError('not_found', `There is no repricing ${id}.`)
}

/** The returned word changes with every step of a repricing and every rebuild. */
export function prepareCostRevision(file: SqliteFile): () => string {
  const select = file.prepare<{ revision: string }>(
    `SELECT (SELECT rebuilds FROM usage_state) || '.' || ${COST_CHANGES} AS revision FROM repricings`,
  )
  return () => select.first()?.revision ?? ''
}

export function listRepricings(file: SqliteFile, rowsMax: number): readonly Repricing[] {
  return selectRepricings(file, 'ORDER BY id DESC LIMIT ?', rowsMax)
}

function selectRepricings(file: SqliteFile, which: string, value: number): Repricing[] {
  const select = file.database.prepare(`SELECT * FROM repricings ${which}`)
  select.setReadBigInts(true)
  return select
    .all(value)
    .map((row) => fromRepricing(row, readRepricedMonths(file, Number(row['id']))))
}
