// The real program under load of callers who know what each of their calls costs, for faults from
// outside.

import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import { createCommandLineAt } from '../fakes/command-line.ts'
import { parseMetrics } from '../fakes/parse-metrics.ts'
import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { openPromptCallers } from '../torture/callers.ts'
import type { TortureCallers } from '../torture/callers.ts'
import { openCountingUpstream } from '../torture/counting-upstream.ts'
import { judgeRecord } from '../torture/judge-record.ts'
import type { Verdict } from '../torture/judge-record.ts'

export interface FaultScene {
  readonly program: Program
  readonly callers: TortureCallers
  /** The sum over a metric's series. */
  metric(name: string): Promise<number>
  completeness(): Promise<Completeness>
  /** Resolves when nothing waits any more. */
  settled(): Promise<Completeness>
  /**
   * Ends callers and program, and compares what is on record with what provider and callers saw.
   */
  judge(): Promise<Verdict>
}

/** Without one more call on record: a ledger yields to whoever else computes on the machine. */
const SETTLE_MS_MAX = 60_000
/** Calls go on while a test waits for a process; they need not take all of the processor. */
const CALLERS_PAUSE_MS = 10

export async function openFaultScene(t: TestContext, callerCount = 8): Promise<FaultScene> {
  const upstream = await openCountingUpstream()
  t.after(() => upstream.close())
  let access = { key: '', token: '' }
  const program = await openProgram({
    settings: {
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_ANTHROPIC_URL: `${upstream.url}/anthropic`,
      PROXY_WORKERS: '2',
    },
    prepare: async (dataDir) => {
      access = await makeAccess(dataDir)
    },
  })
  t.after(() => program.close())
  const { key, token } = access
  const callers = openPromptCallers({
    url: () => program.addresses.proxy,
    key,
    count: callerCount,
    pauseMs: CALLERS_PAUSE_MS,
  })
  t.after(() => callers.stop())

  async function completeness(): Promise<Completeness> {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${program.addresses.api}/v1/completeness`, { headers })
    if (!response.ok) throw new Error(`completeness: ${response.status}`)
    return (await response.json()) as Completeness
  }

  async function settled(): Promise<Completeness> {
    let pending = Infinity
    let until = 0
    for (;;) {
      const figures = await completeness()
      if (figures.pending === 0) return figures
      if (figures.pending < pending) until = systemClock.monotonic() + SETTLE_MS_MAX
      pending = figures.pending
      if (systemClock.monotonic() > until) {
        throw new Error(`still pending: ${JSON.stringify(figures)}`)
      }
      await pause(50)
    }
  }

  return {
    program,
    callers,
    completeness,
    settled,
    metric: async (name) => {
      const response = await fetch(`${program.addresses.api}/metrics`)
      const samples = parseMetrics(await response.text()).get(name)?.samples ?? []
      return samples.reduce((sum, { value }) => sum + value, 0)
    },
    judge: async () => {
      await callers.stop()
      const figures = await settled()
      await program.stop()
      const { dataDir } = program
      const { received } = upstream
      const { results } = callers
      return judgeRecord({ dataDir, received, results, kills: [], completeness: figures })
    },
  }
}

async function makeAccess(dataDir: string): Promise<{ key: string; token: string }> {
  const { json } = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
  const { key } = await json<{ key: string }>('keys', 'create', '--name', 'faults')
  const tokenWords = ['tokens', 'create', '--name', 'faults', '--scope', 'admin']
  const { token } = await json<{ token: string }>(...tokenWords)
  return { key, token }
}
