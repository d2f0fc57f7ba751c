// What sums of records need before they are written: ids of names, and places of dimension values.
// Each is given in a commit of its own, ahead of the transaction with the sums, which others wait
// for.

import { factNameOf } from '../../../../core/teams/team.ts'
import type { UsageEvent } from '../../../../core/usage-event.ts'
import type { Cost } from '../../../../core/usage-record.ts'
import { ofEpoch } from '../../../sql/sql.ts'
import type { SqlDatabase } from '../../../sql/sql.ts'
import { createHourFormat, toPlaceAsker } from '../../analysis-rows.ts'
import type { NameIds } from '../../analysis-rows.ts'
import { toMonth } from '../../block-tiers.ts'
import { toSessionPart } from '../../session-sums.ts'
import type { SessionEvent } from '../../session-sums.ts'
import type { Dialect } from '../dialect.ts'
import { createKeptValues } from './kept-values.ts'
import type { DimValue, KeptValues } from './kept-values.ts'
import { createNames } from './names.ts'
import type { Names } from './names.ts'

type Named = 'status' | 'endedAt' | 'keyId' | 'provider' | 'model' | 'dims' | 'usage' | 'agent'

/** As much of a record as has names. */
export interface NamedRecord {
  readonly event: Pick<UsageEvent, Named> & SessionEvent
  readonly cost: Pick<Cost, 'source'>
}

export interface OtherNames {
  /** Of dimensions that get a place in any case. */
  readonly knownDims?: readonly string[]
}

export interface SumIds {
  /** For sums of these records, in the order in which they came. Not within a transaction. */
  resolve(records: readonly NamedRecord[], others?: OtherNames): Promise<NameIds>
  /** Of a name of records that were resolved last. */
  readonly idOf: NameIds['idOf']
}

export interface SumIdsOptions {
  readonly dialect: Pick<Dialect, 'isAmong' | 'isShared' | 'otherName' | 'toText'>
  /** False where analysis reads the records themselves, so that values need no places. */
  readonly hasParts: boolean
}

export function createSumIds(database: SqlDatabase, { dialect, hasParts }: SumIdsOptions): SumIds {
  const remember = ofEpoch(database.epoch, () => ({
    names: createNames(database, dialect),
    kept: createKeptValues(database, { dialect }),
  }))

  return {
    async resolve(records, { knownDims = [] } = {}) {
      const { names, kept } = remember()
      await names.resolve(listNames(records, hasParts ? knownDims : []))
      if (hasParts) await resolvePlaces(records, { names, kept, knownDims })
      return { ...kept, idOf: names.idOf }
    },
    idOf: (name) => remember().names.idOf(name),
  }
}

interface SumNames {
  readonly names: Names
  readonly kept: KeptValues
  readonly knownDims: readonly string[]
}

/** The first values that a month has room for are kept. */
async function resolvePlaces(
  records: readonly NamedRecord[],
  { names: { idOf }, kept, knownDims }: SumNames,
): Promise<void> {
  const toHour = createHourFormat()
  const values: DimValue[] = []
  const months = new Set<number>()
  for (const { event } of records) {
    const { dims, endedAt } = event
    const asker = toPlaceAsker(event, toMonth(toHour(endedAt)), idOf)
    months.add(asker.month)
    for (const key in dims) {
      const [dim, value] = [idOf(key), idOf(dims[key] as string)]
      const isFact = factNameOf(key) !== null
      if (kept.isKnown(asker, dim, value) && !(isFact && !kept.hasDim(asker, dim))) continue
      values.push({ ...asker, dim, value, isFact })
    }
  }
  // A budget may name a fact, whose place is before all of these.
  const reserved = knownDims.filter((name) => factNameOf(name) === null)
  await kept.resolve(values, months, reserved.map(idOf))
}

export function listNames(
  records: readonly NamedRecord[],
  others: readonly string[],
): ReadonlySet<string> {
  const names = new Set(others)
  for (const { event, cost } of records) {
    const { keyId, provider, model, dims, status, usage, agent } = event
    if (keyId !== null) names.add(keyId)
    if (model !== null) names.add(model)
    names.add(provider).add(status).add(usage).add(cost.source)
    for (const key in dims) names.add(key).add(dims[key] as string)
    if (agent?.session !== undefined) names.add(agent.session).add(toSessionPart(event))
  }
  return names
}
