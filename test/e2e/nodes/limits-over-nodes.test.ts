import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { BudgetRow } from '../../../src/api/contract.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { migrateStores } from '../../../src/store/databases.ts'
import { untilKeyKnown } from '../../fakes/callers/until-key-known.ts'
import { openTestDatabase } from '../../fakes/postgres/test-database.ts'
import { openProgram } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'

/** Only what hangs takes so long. */
const WAIT_MS_MAX = 120_000

const closes: (() => unknown)[] = []
/** Calls at the provider, which answers them when the test says so. */
const unanswered: ServerResponse[] = []
let nodes: readonly [Program, Program]

before(async () => {
  const upstream = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (request.url?.includes('unanswered') === true) unanswered.push(response)
      else response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  closes.push(() => upstream.close())
  const url = await openTestDatabase({ after: (close) => closes.push(close as () => unknown) })
  await migrateStores({ settings: url, usage: url })
  const settings = {
    SETTINGS_URL: url,
    PROVIDER_OPENAI_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    PROXY_WORKERS: '1',
  }
  const open = async (): Promise<Program> => {
    const program = await openProgram({ settings })
    closes.push(() => program.close())
    return program
  }
  nodes = [await open(), await open()]
})

// In reverse: a ledger stores its last calls while its database is there.
after(async () => {
  answerAll()
  for (const close of closes.toReversed()) await close()
})

test('a call that runs on one node takes the only slot of its key on the other', async () => {
  const [one, other] = nodes
  const { key } = await makeKey('--max-parallel', '1')
  const running = await startCall(one, key)
  assert.equal((await call(other, key, 'models')).status, 429)
  answerAll()
  assert.equal((await running()).status, 200)
  assert.equal((await call(other, key, 'models')).status, 200)
})

test('of a key that may make 5 calls a minute exactly 5 pass on both nodes together', async () => {
  const { key } = await makeKey('--rpm', '5')
  const startedAt = systemClock.monotonic()
  const calls = Array.from({ length: 12 }, (_, at) => call(nodes[at % 2] as Program, key, 'models'))
  const answers = await Promise.all(calls)
  const passedSeconds = (systemClock.monotonic() - startedAt) / 1000
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  for (const { status, headers } of answers) {
    if (status === 200) continue
    const seconds = Number(headers.get('retry-after'))
    const isLeft = seconds >= 60 - passedSeconds && seconds <= 64
    assert.ok(status === 429 && isLeft, `${status}, ${seconds} s, after ${passedSeconds} s`)
  }
})

test('what runs on one node is reserved of a budget on the other, and shown there', async () => {
  const [one, other] = nodes
  const { id, key } = await makeKey()
  const scope = ['--scope', `api_key=${id}`, '--period', 'day', '--block']
  const limit = ['--limit-usd', '0.03', ...scope]
  const budget = await one.json<BudgetRow>('budgets', 'create', '--name', 'few', ...limit)
  const reader = ['--name', 'reader', '--scope', 'read:usage']
  const { token } = await one.json<{ token: string }>('tokens', 'create', ...reader)
  const shown = () => readBudget(other, budget.id, token)
  // Calls are counted from the moment a node knows the budget.
  await until(async () => {
    await call(one, key, 'chat')
    return (await shown()).running_calls !== null
  })
  // While no cost is known a call is expected to cost a share of the budget.
  const running = [await startCall(one, key), await startCall(one, key), await startCall(one, key)]
  await until(async () => (await call(other, key, 'chat')).status === 402)
  await until(async () => (await shown()).running_calls === 3)
  await until(async () => {
    const { reserved_usd: reserved } = await shown()
    const here = await readBudget(one, budget.id, token)
    return reserved !== null && reserved > 0 && here.reserved_usd === reserved
  })
  answerAll()
  for (const answer of running) assert.equal((await answer()).status, 200)
})

/** A key that both nodes know: either would refuse one that it has not read yet. */
async function makeKey(...limit: string[]): Promise<{ id: string; key: string }> {
  const words = ['keys', 'create', '--name', 'limited', ...limit]
  const made = await nodes[0].json<{ id: string; key: string }>(...words)
  for (const { addresses } of nodes) await untilKeyKnown(addresses.proxy, made.key)
  return made
}

function call({ addresses }: Program, key: string, what: string): Promise<Response> {
  return fetch(`${addresses.proxy}/v1/openai/v1/${what}`, {
    method: 'POST',
    body: '{}',
    headers: { 'X-SVC-API-Key': key },
  })
}

/** Returns when it is at the provider. One that is refused is tried again: others may settle. */
async function startCall(node: Program, key: string): Promise<() => Promise<Response>> {
  const before = unanswered.length
  let asked = call(node, key, 'unanswered')
  await until(async () => {
    const first = await Promise.race([asked, pause(50)])
    if (unanswered.length > before) return true
    if (first !== undefined) asked = call(node, key, 'unanswered')
    return false
  })
  return () => asked
}

function answerAll(): void {
  for (const response of unanswered.splice(0)) response.end('{}')
}

async function readBudget({ addresses }: Program, id: string, token: string): Promise<BudgetRow> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${addresses.api}/v1/budgets/${id}`, { headers })
  assert.equal(response.status, 200)
  return (await response.json()) as BudgetRow
}

/** Seldom enough for the API's limit of requests a minute. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = systemClock.monotonic() + WAIT_MS_MAX
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < endsAt, 'it takes too long')
    await pause(500)
  }
}
