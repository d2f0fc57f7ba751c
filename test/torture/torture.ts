// The real program under load, its processes killed at random without warning, then asked whether
// the record is whole: every call that reached the provider is recorded once, what was delivered
// has its cost to the last picodollar, and the sums are those of the records.

import { systemClock } from '../../src/core/clock.ts'
import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { openCallers } from './callers.ts'
import { createRandom } from './random.ts'
import { openCountingUpstream } from './counting-upstream.ts'
import { judgeRecord } from './judge-record.ts'
import type { Kill, Verdict } from './judge-record.ts'
import { untilSettled } from './until-settled.ts'

export interface TortureOptions {
  readonly seed: number
  readonly kills: number
  readonly callers: number
  /** Between the calls of one of them. */
  readonly pauseMs?: number
  /** With `journal.recordFirst`: then no kill may come between an answer's end and its record. */
  readonly recordsFirst: boolean
  readonly say?: (line: string) => void
}

const CALLS_BETWEEN_MAX = 120
const MS_BETWEEN_MAX = 3000
/**
 * So many kills grow the pauses before a restart beyond what is worth waiting for; a new start ends
 * them.
 */
const KILLS_PER_START = 8

export async function runTorture(options: TortureOptions): Promise<Verdict> {
  const random = createRandom(options.seed)
  const upstream = await openCountingUpstream()
  const program = await openProgram({
    settings: {
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_ANTHROPIC_URL: `${upstream.url}/anthropic`,
      PROXY_WORKERS: '2',
      JOURNAL_RECORD_FIRST: String(options.recordsFirst),
    },
  })
  try {
    const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'torture')
    const tokenWords = ['tokens', 'create', '--name', 'torture', '--scope', 'admin']
    const { token } = await program.json<{ token: string }>(...tokenWords)
    const url = (): string => program.addresses.proxy
    const { callers: count, pauseMs = 0 } = options
    const callers = openCallers({ url, key, count, pauseMs })
    const kills: Kill[] = []
    while (kills.length < options.kills) {
      await callers.more(1 + random(CALLS_BETWEEN_MAX), MS_BETWEEN_MAX)
      const isNewStart = kills.length % KILLS_PER_START === KILLS_PER_START - 1
      const killed = isNewStart ? await killAll(program, random(2) === 0) : killOne(program, random)
      kills.push(...killed)
      if (killed.length > 0) options.say?.(`${kills.length} kills, ${callers.results.length} calls`)
    }
    await callers.more(100, 5000)
    await callers.stop()
    const completeness = await untilSettled(program, token)
    await program.stop()
    const { results } = callers
    return await judgeRecord({
      dataDir: program.dataDir,
      received: upstream.received,
      results,
      kills,
      recordsFirst: options.recordsFirst,
      completeness,
    })
  } finally {
    await program.close()
    await upstream.close()
  }
}

/** One of the workers, the ledger or the API; none where it is being started just now. */
function killOne(program: Program, random: (below: number) => number): Kill[] {
  const role = (['ledger', 'ledger', 'api', 'proxy', 'proxy'] as const)[random(5)] ?? 'proxy'
  const pids = program.pids(role)
  const pid = pids[random(Math.max(1, pids.length))]
  return pid === undefined ? [] : [kill(role, pid)]
}

function kill(role: Kill['role'], pid: number): Kill {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone before: that is as good.
  }
  return { role, at: systemClock.monotonic() }
}

/** The supervisor, with all of its processes or leaving them behind, and a start after it. */
async function killAll(program: Program, isAlone: boolean): Promise<Kill[]> {
  const children = (['proxy', 'ledger', 'api'] as const).flatMap((role) =>
    program.pids(role).map((pid) => ({ role, pid })),
  )
  const supervisor = program.process
  const ended = new Promise((resolve) => supervisor.once('exit', resolve))
  const kills = [kill('supervisor', supervisor.pid as number)]
  if (!isAlone) kills.push(...children.map(({ role, pid }) => kill(role, pid)))
  await ended
  await program.restart()
  return kills
}
