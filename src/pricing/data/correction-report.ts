// Which of our corrections new price data replaces, and which stand and why. Must stay true: it
// asks for the order of lists where the price tables do.

import type { ListedModel, PriceTable } from '../tables/price-table.ts'
import { findInOrder } from '../tables/table-order.ts'
import { bundledTables } from './bundled-prices.ts'
import { createFileTables } from './price-file.ts'
import type { PriceFile } from './price-file.ts'
import { STANDING_REASONS } from './standing-reason.ts'
import type { StandingReason } from './standing-reason.ts'

export interface StandingCorrection extends ListedModel {
  readonly why: StandingReason
}

/** Models by the names that the corrections have for them. */
export interface CorrectionReport {
  readonly replaced: readonly ListedModel[]
  readonly standing: readonly StandingCorrection[]
}

type Outcome = 'replaced' | StandingReason

const RANKS: readonly Outcome[] = ['replaced', ...STANDING_REASONS]

interface Lists {
  readonly corrections: PriceTable
  readonly bundle: PriceTable
  readonly files: readonly PriceTable[]
}

export function reportCorrections(file: PriceFile): CorrectionReport {
  const lists = { ...bundledTables(), files: createFileTables(file) }
  const { corrections, files } = lists
  const outcomes = new Map<string, readonly [ListedModel, Outcome]>()
  for (const listed of corrections.listModels()) {
    // Of one that is a mere pattern, only the data's names show whether it is replaced.
    const isPattern = corrections.findVersions(listed.provider, listed.model) === null
    if (isPattern) outcomes.set(toKey(listed), [listed, 'no-price'])
  }
  for (const { provider, model } of [corrections, ...files].flatMap((each) => each.listModels())) {
    const found = findOutcome(lists, provider, model)
    if (found === null) continue
    const corrected = { provider, model: found.id }
    const known = outcomes.get(toKey(corrected))
    // A correction with several names is replaced if it is under one of them.
    if (known !== undefined && RANKS.indexOf(known[1]) <= RANKS.indexOf(found.outcome)) continue
    outcomes.set(toKey(corrected), [corrected, found.outcome])
  }
  const all = [...outcomes.values()]
  return {
    replaced: all.flatMap(([listed, outcome]) => (outcome === 'replaced' ? [listed] : [])),
    standing: all.flatMap(([listed, why]) => (why === 'replaced' ? [] : [{ ...listed, why }])),
  }
}

function toKey({ provider, model }: ListedModel): string {
  return JSON.stringify([provider, model])
}

/** Null where no correction is in force without the new data. */
function findOutcome(
  { corrections, bundle, files }: Lists,
  provider: string,
  listed: string,
): { readonly id: string; readonly outcome: Outcome } | null {
  const model = listed.toLowerCase()
  const own = corrections.findVersions(provider, model)
  const id = own?.[0]?.modelId
  if (own === null || id === undefined) return null
  if (findInOrder([corrections, bundle], provider, model)[0]?.versions !== own) return null
  const given = files.map((table) => table.findVersions(provider, model) ?? [])
  if (given.every(({ length }) => length === 0)) return { id, outcome: 'no-price' }
  const order = findInOrder([corrections, ...files, bundle], provider, model)
  if (order[0]?.versions !== own) return { id, outcome: 'replaced' }
  const against = order[0].publishedAt
  const isNewer = ({ versions, publishedAt }: (typeof order)[number]): boolean =>
    given.includes(versions) && publishedAt > against
  return { id, outcome: order.some(isNewer) ? 'unchanged' : 'older' }
}
