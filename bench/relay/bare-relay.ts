// Weir's relay by itself, without the program around it: with metering, without, and with the
// record before the end.

import { HEAP_FLAGS } from '../../src/app/memory/process-memory.ts'
import { openChild } from './child.ts'
import { createContender } from './contender.ts'
import type { Contender } from './contender.ts'
import type { FromProxy } from './messages.ts'

/** A start line, and for each call one when it begins and one when it ends. */
const LINES_PER_CALL = 2
const LINES_BEFORE = 1

export async function openBareRelay(
  upstreamPort: number,
  metering: 'on' | 'off' | 'first',
): Promise<Contender> {
  const entry = new URL('./run-proxy.ts', import.meta.url)
  const child = await openChild<FromProxy>(
    entry,
    [String(upstreamPort), metering],
    HEAP_FLAGS.proxy,
  )
  const contender: Contender = createContender({
    name: metering === 'first' ? 'relay alone, record first' : `relay alone, metering ${metering}`,
    port: child.first.port,
    pids: [child.pid],
    headers: [`X-SVC-API-Key: ${child.first.credential}`, 'X-SVC-Dims: team=a, app=b'],
    settle: async () => {
      const { journalLines } = await child.ask({})
      const calls = contender.answered
      const expected = metering !== 'off' ? LINES_BEFORE + calls * LINES_PER_CALL : 0
      if (journalLines === expected) return
      throw new Error(`${calls} calls wrote ${journalLines} journal lines, not ${expected}.`)
    },
    close: () => child.close(),
  })
  return contender
}
