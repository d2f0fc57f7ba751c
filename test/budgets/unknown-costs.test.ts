// Blocking budgets that are worth four calls, against calls that are hard to meter: by other
// spellings of the path, answers of 40 MB, and a path that no reader knows. In the real program.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import type { BudgetRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createCommandLineAt } from '../fakes/command-line.ts'
import { openScene } from '../e2e/scene.ts'
import type { Scene } from '../e2e/scene.ts'

const CALL_USD = 0.01
const LIMIT_USD = 4 * CALL_USD
const CALLS = 80
/** Those that run when the fourth has ended may pass as well. */
const CALLERS = 4
const PASSED_MAX = 10
const WAIT_MS_MAX = 120_000

const CHAT = '/v1/chat/completions'

const SPELLINGS: Readonly<Record<string, string>> = {
  plain: CHAT,
  escaped: '/v1/%63hat/completions',
  'escaped-all': '/v1/%63%68%61%74/%63%6f%6D%70letions',
  empty: '//v1/chat//completions',
  trailing: `${CHAT}/`,
  'escaped-slash': '/v1/chat%2fcompletions',
  'escaped-twice': '/v1/%2563hat/completions',
  parameter: `${CHAT};x=1`,
  'inner-parameter': '/v1;a/chat;x=1/completions',
  'escaped-parameter': `${CHAT}%3Bx=1`,
  backslash: '/v1/chat%5Ccompletions',
  capitals: '/v1/Chat/Completions',
}

/** No spelling of any call that Weir knows; its answer says nothing of its cost. */
const UNKNOWN = '/v1/wishes/grant'
const LARGE = 'large'
const ZIPPED = 'large-zipped'
const LARGE_BYTES = 40 * 1024 * 1024

const USAGE = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10, cost: CALL_USD }
const HEAD = '{"id":"x","model":"acme/writer","choices":[{"message":{"content":"'
const TAIL = `"}}],"usage":${JSON.stringify(USAGE)}}`
const PIECE = Buffer.from(randomBytes(768 * 1024).toString('base64'))
const PIECES = LARGE_BYTES / PIECE.length
/** Each piece is a member of its own, as a server that flushes makes them. */
const ZIPPED_PIECE = gzipSync(PIECE, { level: 1 })

/** Answers whatever path it is asked at, as a lenient server would. */
async function answer(url: string, response: ServerResponse): Promise<void> {
  const isZipped = url.endsWith(ZIPPED)
  const zip = (text: string): string | Buffer => (isZipped ? gzipSync(text) : text)
  if (isZipped) response.setHeader('content-encoding', 'gzip')
  response.writeHead(200, { 'content-type': 'application/json' })
  if (url.endsWith(UNKNOWN)) return void response.end('{"granted":true}')
  response.write(zip(HEAD))
  for (let sent = 0; url.includes(LARGE) && sent < PIECES; sent++) {
    if (!response.write(isZipped ? ZIPPED_PIECE : PIECE)) await once(response, 'drain')
  }
  response.end(zip(TAIL))
}

let scene: Scene | null = null
const closes: (() => Promise<void>)[] = []
let passed = 0

/** The dimension sets the cases apart: each has a budget of its own. */
async function call(name: string, path: string): Promise<number> {
  const { program, key } = scene as Scene
  const response = await fetch(`${program.addresses.proxy}/v1/gateway${path}`, {
    method: 'POST',
    headers: { 'X-SVC-API-Key': key.key, 'X-SVC-Dims': `case=${name}` },
    body: '{"model":"acme/writer","messages":[]}',
  })
  await response.arrayBuffer()
  return response.status
}

async function callOften(
  name: string,
  path: string,
  { calls, callers }: { calls: number; callers: number },
): Promise<readonly number[]> {
  const statuses: number[] = []
  let left = calls
  const caller = async (): Promise<void> => {
    while (left-- > 0) statuses.push(await call(name, path))
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return statuses
}

async function readBudgets(): Promise<readonly BudgetRow[]> {
  const { program, token } = scene as Scene
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${program.addresses.api}/v1/budgets`, { headers })
  return ((await response.json()) as { rows: readonly BudgetRow[] }).rows
}

async function until(
  isSo: (rows: readonly BudgetRow[]) => boolean | Promise<boolean>,
): Promise<void> {
  const untilMs = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const rows = await readBudgets()
    if (await isSo(rows)) return
    assert.ok(systemClock.monotonic() < untilMs, `the budgets stay at ${JSON.stringify(rows)}`)
    await pause(50)
  }
}

const NAMES = [...Object.keys(SPELLINGS), LARGE, ZIPPED, 'unknown']

describe('of a budget for four calls', () => {
  before(async () => {
    const server = createServer((request, response) => {
      passed += 1
      request.resume().on('end', () => void answer(request.url ?? '', response))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closes.push(async () => void server.close())
    const { port } = server.address() as AddressInfo
    const settings = { PROVIDER_GATEWAY_URL: `http://127.0.0.1:${port}`, PROXY_WORKERS: '2' }
    scene = await openScene({ after: (close) => closes.push(close) }, settings)
    const words = ['--limit-usd', String(LIMIT_USD), '--period', 'month', '--block']
    const commands = createCommandLineAt(scene.program.dataDir, { nowMs: systemClock.now() })
    for (const name of NAMES) {
      const scope = `dim:case=${name}`
      await commands.json('budgets', 'create', '--name', name, '--scope', scope, ...words)
    }
    // The limit bank tells of its figures once it knows the budgets.
    const isKnown = ({ running_calls }: BudgetRow): boolean => running_calls === 0
    await until((rows) => rows.length === NAMES.length && rows.every(isKnown))
  })

  for (const [name, path] of Object.entries(SPELLINGS)) {
    test(`few of ${CALLS} calls pass at ${path}, and all of them are metered`, async () => {
      await passFew(name, path)
      await until((rows) => (rows.find((row) => row.name === name)?.spent_usd ?? 0) >= LIMIT_USD)
    })
  }

  for (const name of [LARGE, ZIPPED]) {
    test(`few calls pass whose answers have 40 MB (${name}), and all are metered`, async () => {
      passed = 0
      // An answer takes longer to read than to pass on: until then its call is only reserved, and
      // others may be refused before the budget is spent.
      await until(async (rows) => {
        await callOften(name, `${CHAT}?${name}`, { calls: 2, callers: 2 })
        return (rows.find((row) => row.name === name)?.spent_usd ?? 0) >= LIMIT_USD
      })
      await callOften(name, `${CHAT}?${name}`, { calls: 10, callers: 2 })
      assert.ok(passed <= PASSED_MAX, `${passed} calls passed`)
    })
  }

  test(`few of ${CALLS} calls pass whose cost is not known, and what they may cost is shown`, async () => {
    await passFew('unknown', UNKNOWN)
    const isCounted = ({ spent_usd, unknown_cost_usd }: BudgetRow): boolean =>
      spent_usd === 0 && (unknown_cost_usd ?? 0) >= LIMIT_USD
    // A call that has ended is reserved with more than it counts as, until it is on record: others
    // may all have been refused by then.
    await until(async (rows) => {
      if (rows.some((row) => row.name === 'unknown' && isCounted(row))) return true
      await callOften('unknown', UNKNOWN, { calls: 2, callers: 2 })
      return false
    })
    assert.ok(passed <= PASSED_MAX, `${passed} calls passed`)
    assert.equal(await call('unknown', CHAT), 402)
  })

  after(async () => {
    for (const close of closes.toReversed()) await close()
  })
})

async function passFew(name: string, path: string): Promise<void> {
  passed = 0
  const statuses = await callOften(name, path, { calls: CALLS, callers: CALLERS })
  assert.deepEqual(new Set(statuses), new Set([200, 402]))
  assert.ok(passed >= LIMIT_USD / CALL_USD, `${passed} calls passed`)
  assert.ok(passed <= PASSED_MAX, `${passed} of ${CALLS} calls passed`)
}
