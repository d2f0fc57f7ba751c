// What a limit that each of ten thousand keys has costs the ledger: two ledgers over the same
// calls in turns, one with the rule and one without, so that both have the same machine.

import { mkdir } from 'node:fs/promises'

import { spanOf } from '../../src/core/budget.ts'
import { journalDir } from '../../src/journal/journal-dir.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import type { CallOptions } from '../harness/company.ts'
import { median } from '../harness/quantile.ts'
import { atMost, printTable } from '../harness/report.ts'
import type { Bar } from '../harness/report.ts'
import type { Portion } from './portion.ts'
import type { ToLedger } from './run-ledger.ts'
import { writeJournals } from './write-journals.ts'

const ROUNDS = 5
const ROUND_CALLS = 10_000
const RATIO_MAX = 1.1

export async function measureRule(open: OpenItems): Promise<Bar[]> {
  const skewed = await measure(open, 'skewed')
  const inTurn = await measure(open, 'in turn')
  const toRow = (name: string, { without, with: ruled }: Rounds): string[] => {
    const micros = [median(without, toMicros), median(ruled, toMicros)]
    return [
      name,
      ...micros.map((each) => each.toFixed(1)),
      toRatio({ without, with: ruled }).toFixed(2),
    ]
  }
  printTable('(d) CPU µs a call, from journal to rollups, with a limit for each of 10,000 keys', [
    ['', 'without', 'with', '×'],
    toRow('some keys far busier', skewed),
    toRow('each call another key', inTurn),
  ])
  const limit = { limit: RATIO_MAX, unit: '×' }
  return [
    atMost('(d) CPU a call with a limit for each key, some busier', toRatio(skewed), limit),
    atMost('(d) the same where each call has another key', toRatio(inTurn), limit),
  ]
}

interface Rounds {
  readonly without: readonly Portion[]
  readonly with: readonly Portion[]
}

/** The first round of each compiles what the others use. */
async function measure(open: OpenItems, manyKeys: CallOptions['manyKeys']): Promise<Rounds> {
  const sides = await Promise.all(
    [false, true].map(async (hasRule) => {
      const entry = new URL('./run-ledger.ts', import.meta.url)
      const ledger = open.add(openChild<ToLedger, Portion>(entry))
      return { hasRule, ledger, dir: await open.addFolder(), portions: [] as Portion[] }
    }),
  )
  const [one, other] = sides as [(typeof sides)[number], (typeof sides)[number]]
  for (const { dir } of sides) await mkdir(journalDir(dir))
  // A limit is told of the month that runs.
  const { startMs } = spanOf('month', Date.now())
  for (let round = 0; round <= ROUNDS; round += 1) {
    const from = round * ROUND_CALLS
    const calls = { count: ROUND_CALLS, from, startMs, ...(manyKeys && { manyKeys }) }
    for (const { dir } of sides) await writeJournals(journalDir(dir), ['w0', 'w1'], calls)
    for (const { ledger, dir, hasRule, portions } of round % 2 === 0 ? sides : sides.toReversed()) {
      const asked = { dir, hasRule, calls: ROUND_CALLS, total: from + ROUND_CALLS }
      const portion = await ledger.ask(asked)
      if (round > 0) portions.push(portion)
    }
  }
  for (const { ledger } of sides) await ledger.close()
  return { without: one.portions, with: other.portions }
}

/** By what each round says for itself. */
function toRatio({ without, with: ruled }: Rounds): number {
  const ratios = ruled.map(
    (portion, round) => toMicros(portion) / toMicros(without[round] as Portion),
  )
  return median(ratios, (ratio) => ratio)
}

function toMicros({ cpuMicros, calls }: Portion): number {
  return cpuMicros / calls
}
