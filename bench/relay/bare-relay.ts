// Weir's relay by itself, without the program around it: with metering, without, and with the
// record before the end.

import { HEAP_FLAGS } from '../../src/app/memory/process-memory.ts'
import type { OpenItems } from '../harness/benchmark.ts'
import { openChild } from '../../test/fakes/servers/child.ts'
import { createContender } from '../harness/contender.ts'
import type { Contender } from '../harness/contender.ts'
import type { FromProxy, ToProxy } from './run-proxy.ts'

/** A start line, and for each call one when it begins and one when it ends. */
const LINES_PER_CALL = 2
const LINES_BEFORE = 1

export async function openBareRelay(
  open: OpenItems,
  upstreamPort: number,
  metering: ToProxy['metering'],
): Promise<Contender> {
  const entry = new URL('./run-proxy.ts', import.meta.url)
  const child = open.add(openChild<ToProxy, FromProxy>(entry, HEAP_FLAGS.proxy))
  const asked = { upstreamPort, metering, dir: await open.addFolder() }
  const { port, credential } = await child.ask(asked)
  const contender: Contender = createContender({
    name: metering === 'first' ? 'relay alone, record first' : `relay alone, metering ${metering}`,
    port,
    pids: [child.pid],
    headers: [`X-SVC-API-Key: ${credential}`, 'X-SVC-Dims: team=a, app=b'],
    settle: async () => {
      const { journalLines } = await child.ask(asked)
      const calls = contender.answered
      const expected = metering !== 'off' ? LINES_BEFORE + calls * LINES_PER_CALL : 0
      if (journalLines === expected) return
      throw new Error(`${calls} calls wrote ${journalLines} journal lines, not ${expected}.`)
    },
  })
  return contender
}
