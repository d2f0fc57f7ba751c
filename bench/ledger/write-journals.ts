// Writes journals as proxy workers would, by the real writer. Each call's close follows its open
// behind those of the other calls that are under way.

import { setImmediate } from 'node:timers/promises'

import { createMeter } from '../../src/app/meter.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { JournalWriter } from '../../src/journal/journal.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { createCalls } from '../harness/company.ts'
import type { CallOptions } from '../harness/company.ts'

const UNDER_WAY = 90
const CALLS_PER_TURN = 250

export async function writeJournals(
  dir: string,
  workers: readonly string[],
  options: CallOptions,
): Promise<void> {
  const meter = createMeter()
  const { journal } = loadConfig({ env: { WEIR_DATA_DIR: dir }, cwd: dir })
  const writers = workers.map((worker) => openJournalWriter({ dir, worker, ...journal, meter }))
  const underWay: (readonly [JournalWriter, UsageEvent])[] = []
  const close = ([writer, event]: readonly [JournalWriter, UsageEvent]): void =>
    writer.append({ kind: 'close', event })
  let begun = 0
  for (const event of createCalls(options)) {
    const writer = writers[begun % writers.length] as JournalWriter
    writer.append({ kind: 'open', opening: event })
    underWay.push([writer, event])
    if (underWay.length > UNDER_WAY) close(underWay.shift() as (typeof underWay)[number])
    begun += 1
    if (begun % CALLS_PER_TURN === 0) await setImmediate()
  }
  for (const call of underWay) close(call)
  for (const writer of writers) await writer.close()
  const dropped = meter.samples().filter(({ metric }) => metric === 'journalDropped')
  if (dropped.some(({ value }) => value > 0)) throw new Error('The journal dropped lines.')
}
