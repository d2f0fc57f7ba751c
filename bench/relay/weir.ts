// Weir as its users run it: the whole program with one proxy worker, a key, dimensions, the tap,
// the journal and the ledger. Every call that was answered must be recorded with its cost.

import { setTimeout as pause } from 'node:timers/promises'

import { openProgram } from '../../test/fakes/program.ts'
import type { Program } from '../../test/fakes/program.ts'
import { CALL_COST_USD } from './answers.ts'
import { createContender } from './contender.ts'
import type { Contender } from './contender.ts'

export interface WeirContender extends Contender {
  readonly supervisorPid: number
  readonly workerPid: number
  /** Prices and stores what the worker wrote down, at its own pace. */
  readonly ledgerPid: number
  readonly apiPid: number
  /**
   * Asks the usage API for the cost of all calls; fails when it is not their sum to the last digit.
   */
  checkCost(): Promise<void>
}

/** A key is known within a second; the worker is asked until it is. */
const KEY_MS_MAX = 3000
const RECORDED_MS_MAX = 30_000
const LOOK_MS = 50
/** Calls whose cost came with the answer, and was read. */
const RECORDS = /^weir_ledger_records_total\{source="gateway"\} (\d+)/m

export async function openWeir(
  upstreamPort: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<WeirContender> {
  const program = await openProgram({
    settings: {
      PROVIDER_GATEWAY_URL: `http://127.0.0.1:${upstreamPort}`,
      PROXY_WORKERS: '1',
      ...settings,
    },
  })
  try {
    const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'bench')
    const supervisorPid = program.process.pid
    const [workerPid] = program.pids('proxy')
    const [ledgerPid] = program.pids('ledger')
    const [apiPid] = program.pids('api')
    if (
      supervisorPid === undefined ||
      workerPid === undefined ||
      ledgerPid === undefined ||
      apiPid === undefined
    ) {
      throw new Error('Weir has not all of its processes.')
    }
    await untilKeyIsKnown(program.addresses.proxy, key)
    const contender: WeirContender = Object.assign(
      createContender({
        name: 'Weir',
        port: Number(new URL(program.addresses.proxy).port),
        pids: [workerPid],
        headers: [`X-SVC-API-Key: ${key}`, 'X-SVC-Dims: team=a, app=b'],
        settle: () => untilRecorded(program.addresses.api, () => contender.answered),
        close: () => program.close(),
      }),
      {
        supervisorPid,
        workerPid,
        ledgerPid,
        apiPid,
        checkCost: () => checkCost(program, contender.answered),
      },
    )
    return contender
  } catch (error) {
    await program.close()
    throw error
  }
}

/**
 * Asks for a provider that does not exist: a good key gets as far as that, and nothing is recorded.
 */
async function untilKeyIsKnown(address: string, key: string): Promise<void> {
  const until = performance.now() + KEY_MS_MAX
  for (;;) {
    const answer = await fetch(`${address}/v1/no-such-provider/x`, {
      headers: { 'X-SVC-API-Key': key },
    })
    await answer.text()
    if (answer.status !== 401) return
    if (performance.now() > until) throw new Error('The key is not known.')
    await pause(LOOK_MS)
  }
}

async function untilRecorded(address: string, answered: () => number): Promise<void> {
  const until = performance.now() + RECORDED_MS_MAX
  for (;;) {
    const text = await (await fetch(`${address}/metrics`)).text()
    const recorded = Number(RECORDS.exec(text)?.[1] ?? 0)
    if (recorded === answered()) return
    if (recorded > answered() || performance.now() > until) {
      throw new Error(`Weir answered ${answered()} calls and recorded ${recorded}.`)
    }
    await pause(LOOK_MS)
  }
}

async function checkCost(program: Program, answered: number): Promise<void> {
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
