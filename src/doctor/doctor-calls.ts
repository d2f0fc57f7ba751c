// What `weir doctor` checks about the ClickHouse of calls.

import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { EXACT_ENGINES, readClickhouseFacts } from '../store/databases.ts'
import type { CallsFacts } from '../store/databases.ts'
import { CLOCK_OFFSET_MS_MAX } from '../store/nodes/node-store.ts'
import { fault, good, warning } from './finding.ts'
import type { Finding } from './finding.ts'

/** 25.8, the oldest that is still maintained. */
const VERSION_MIN = 2508

export async function checkCalls(url: string, clock: Clock): Promise<Finding[]> {
  const { host, pathname } = new URL(url)
  try {
    return judge(await readClickhouseFacts({ url, clock }), `${host}${pathname}`)
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    return [fault('database', error.message, error.hint ?? 'Is it running, and is the URL right?')]
  }
}

export function judge(facts: CallsFacts, place: string): Finding[] {
  const { version, versionText, engine, clockOffsetMs } = facts
  const text = `ClickHouse ${versionText} at ${place}`
  if (engine === null) {
    return [fault('database', `${text} has no table of calls`, 'Run weir migrate.')]
  }
  if (!EXACT_ENGINES.has(engine)) {
    const remedy = `Weir counts exactly on ${[...EXACT_ENGINES].join(', ')}. Move the calls to such a table.`
    return [fault('database', `${text}: the table of calls is a ${engine}`, remedy)]
  }
  const seconds = (Math.abs(clockOffsetMs) / 1000).toFixed(1)
  const side = clockOffsetMs > 0 ? 'ahead of' : 'behind'
  return [
    version < VERSION_MIN
      ? warning('database', `${text} is not tested with Weir`, 'Use ClickHouse 25.8 or newer.')
      : good('database', text),
    ...(Math.abs(clockOffsetMs) <= CLOCK_OFFSET_MS_MAX
      ? []
      : [
          warning(
            'clock',
            `this machine's is ${seconds} s ${side} ClickHouse's`,
            'Set both by NTP.',
          ),
        ]),
  ]
}
