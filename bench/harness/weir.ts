// Weir as its users run it: the whole program with one proxy worker, a key, dimensions, the tap,
// the journal and the ledger. Every call that was answered must be recorded with its cost.

import { untilKeyKnown } from '../../test/fakes/callers/until-key-known.ts'
import { openProgram } from '../../test/fakes/program.ts'
import type { ProcessName, Program, ProgramOptions } from '../../test/fakes/program.ts'
import { CALL_COST_USD } from './answers.ts'
import type { OpenItems } from './benchmark.ts'
import { createContender } from './contender.ts'
import type { Contender } from './contender.ts'
import { until } from './until.ts'
import type { Upstream } from './upstream.ts'

export interface WeirContender extends Contender {
  readonly program: Program
  readonly workerPid: number
  /** Prices and stores what the worker wrote down, at its own pace. */
  readonly ledgerPid: number
  readonly apiPid: number
  /**
   * Asks the usage API for the cost of all calls; fails when it is not their sum to the last digit.
   */
  checkCost(): Promise<void>
}

/** Calls whose cost came with the answer, and was read. */
const RECORDS = 'weir_ledger_records_total{source="gateway"}'

export async function openWeir(
  open: OpenItems,
  upstream: Upstream,
  { settings = {}, ...options }: Pick<ProgramOptions, 'settings' | 'prepare'> = {},
): Promise<WeirContender> {
  const url = `http://127.0.0.1:${upstream.port}`
  const program = open.add(
    await openProgram({
      ...options,
      settings: { PROVIDER_GATEWAY_URL: url, PROXY_WORKERS: '1', ...settings },
    }),
  )
  const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'bench')
  const toPid = (role: ProcessName): number => {
    const [pid] = program.pids(role)
    if (pid === undefined) throw new Error(`Weir has no ${role}.`)
    return pid
  }
  const workerPid = toPid('proxy')
  await untilKeyKnown(program.addresses.proxy, key)
  const contender = createContender({
    name: 'Weir',
    port: Number(new URL(program.addresses.proxy).port),
    pids: [workerPid],
    headers: [`X-SVC-API-Key: ${key}`, 'X-SVC-Dims: team=a, app=b'],
    settle: () => untilRecorded(program, contender),
  })
  return Object.assign(contender, {
    program,
    workerPid,
    ledgerPid: toPid('ledger'),
    apiPid: toPid('api'),
    checkCost: () => compareCost(program, contender.answered),
  })
}

/** Zero where there is none yet. */
export async function readMetric({ addresses }: Program, series: string): Promise<number> {
  const text = await (await fetch(`${addresses.api}/metrics`)).text()
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

function untilRecorded(program: Program, contender: Contender): Promise<void> {
  return until(async () => {
    const recorded = await readMetric(program, RECORDS)
    if (recorded <= contender.answered) return recorded === contender.answered
    throw new Error(`Weir answered ${contender.answered} calls and recorded ${recorded}.`)
  }, `${contender.answered} calls are recorded`)
}

async function compareCost(program: Program, answered: number): Promise<void> {
  const words = ['tokens', 'create', '--name', 'bench', '--scope', 'read:usage']
  const { token } = await program.json<{ token: string }>(...words)
  const address = `${program.addresses.api}/v1/usage?metric=cost_usd&window=month_to_date`
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
  const { rows } = (await answer.json()) as { rows?: readonly { readonly value: number }[] }
  const cost = rows?.[0]?.value ?? Number.NaN
  const expected = answered * Number(CALL_COST_USD)
  // The API rounds to a billionth; half of that is left to the product's own rounding.
  if (Math.abs(cost - expected) < 1e-9) return
  throw new Error(`${answered} calls cost ${expected} USD, and the usage API says ${cost}.`)
}
