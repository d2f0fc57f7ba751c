// Writes journals as proxy workers would, by the real writer, in a process of its own so that its
// work is charged to nobody. Each call's close follows its open behind those of the other calls
// that are under way.

import { parseArgs } from 'node:util'
import { setImmediate } from 'node:timers/promises'

import { createMeter } from '../../src/app/meter.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { JournalWriter } from '../../src/journal/journal.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { createCalls } from './company.ts'
import type { CallMix } from './company.ts'

const UNDER_WAY = 90
const CALLS_PER_TURN = 250

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '' },
    mix: { type: 'string', default: 'company' },
    count: { type: 'string', default: '0' },
    from: { type: 'string', default: '0' },
    start: { type: 'string', default: '0' },
    workers: { type: 'string', default: 'w0,w1' },
  },
})

const meter = createMeter()
const writers = values.workers.split(',').map((worker) =>
  openJournalWriter({
    dir: values.dir,
    worker,
    fsync: 'interval',
    fsyncIntervalMs: 100,
    segmentBytesMax: 67_108_864,
    segmentSecondsMax: 3600,
    bufferBytesMax: 16_777_216,
    meter,
  }),
)

function close([writer, event]: readonly [JournalWriter, UsageEvent]): void {
  writer.append({ kind: 'close', event })
}

const calls = createCalls({
  mix: values.mix as CallMix,
  count: Number(values.count),
  from: Number(values.from),
  startMs: Number(values.start),
})
const underWay: (readonly [JournalWriter, UsageEvent])[] = []
let begun = 0
for (const event of calls) {
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
