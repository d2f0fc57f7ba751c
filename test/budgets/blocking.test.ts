// A blocking budget under many callers at once, in the real program with two workers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import type { BudgetRow } from '../../src/api/contract.ts'
import { systemClock } from '../../src/core/clock.ts'
import { formatMoney, parseMoney } from '../../src/core/money.ts'
import { METRICS } from '../../src/core/telemetry.ts'
import { PLENTY_PARTS } from '../../src/limits/fast-path.ts'
import { parseMetrics } from '../fakes/parse-metrics.ts'
import type { FakeUpstream } from '../fakes/upstreams/upstream.ts'
import { openScene } from '../e2e/scene.ts'
import type { Scene } from '../e2e/scene.ts'

const CALLERS = 64
const CALL_MS = 2000
const CALL_USD = '0.01'
const LIMIT_USD = 1
const REFUSED_MS_MAX = 2000
const WAIT_MS_MAX = 120_000

interface Answer {
  readonly status: number
  readonly at: number
  readonly code: string | null
  readonly body: unknown
}

async function call({ program, key }: Scene, delayMs: number): Promise<Answer> {
  const response = await fetch(`${program.addresses.proxy}/v1/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { 'X-SVC-API-Key': key.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: 'acme/writer',
      messages: [{ role: 'user', content: 'Hello' }],
      metadata: { cost: CALL_USD, delay_ms: String(delayMs) },
    }),
  })
  const body = await response.json()
  const code = response.headers.get('x-svc-error')
  return { status: response.status, at: systemClock.now(), code, body }
}

function budgetOf({ body }: Answer): Record<string, unknown> {
  return (body as { readonly budget: Record<string, unknown> }).budget
}

/** Calls until it is refused. */
async function callOn(scene: Scene): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (;;) {
    const answer = await call(scene, CALL_MS)
    answers.push(answer)
    if (answer.status !== 200) return answers
  }
}

async function readBudget({ program, token }: Scene): Promise<BudgetRow> {
  const response = await fetch(`${program.addresses.api}/v1/budgets`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const { rows } = (await response.json()) as { rows: readonly BudgetRow[] }
  return rows[0] as BudgetRow
}

async function untilBudget(scene: Scene, isSo: (row: BudgetRow) => boolean): Promise<BudgetRow> {
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const row = await readBudget(scene)
    if (isSo(row)) return row
    assert.ok(systemClock.monotonic() < until, `the budget stays at ${JSON.stringify(row)}`)
    await pause(50)
  }
}

function sumCharged({ calls }: FakeUpstream): string {
  return formatMoney(calls.reduce((sum, { charged }) => sum + (parseMoney(charged) ?? 0n), 0n))
}

test('64 callers at once do not get past a blocking budget, and nothing of it is lost', async (t) => {
  const scene = await openScene(t, { PROXY_WORKERS: '2' })
  const { upstream, commands } = scene
  const words = ['--name', 'The dollar', '--limit-usd', String(LIMIT_USD), '--period', 'month']
  await commands.json('budgets', 'create', ...words, '--scope', 'global', '--block')
  // The limit bank tells of its figures once it knows the budget.
  await untilBudget(scene, ({ running_calls }) => running_calls === 0)

  const callers = Array.from({ length: CALLERS }, () => callOn(scene))
  const answers = (await Promise.all(callers)).flat()
  const ends = answers.filter(({ status }) => status === 200).map(({ at }) => at)
  const refusals = answers.filter(({ status }) => status !== 200)
  assert.deepEqual(
    [...new Set(refusals.map(({ status, code }) => `${status} ${code}`))],
    ['402 budget_exceeded'],
  )
  const crossedAt = ends.toSorted((a, b) => a - b)[Math.round(LIMIT_USD / Number(CALL_USD)) - 1]
  const refusedAt = Math.min(...refusals.map(({ at }) => at))
  assert.ok(refusedAt < (crossedAt ?? Infinity) + REFUSED_MS_MAX, 'the first refusal is in time')
  // Every call costs what was reserved for it: only what a worker lets through by itself can be too
  // much, and a call that the limit bank did not answer in a quarter of a second.
  const charged = Number(sumCharged(upstream))
  assert.ok(charged >= LIMIT_USD, `${charged} USD`)
  const overdrawn = charged - LIMIT_USD - LIMIT_USD / PLENTY_PARTS
  await untilUnanswered(scene, Math.ceil(overdrawn / Number(CALL_USD)))

  const settled = await untilBudget(
    scene,
    (row) => row.spent_usd === charged && row.running_calls === 0,
  )
  assert.deepEqual([settled.is_exceeded, settled.overshoot_max_usd], [true, 0])
  const after = await Promise.all(Array.from({ length: CALLERS }, () => call(scene, 0)))
  assert.deepEqual(new Set(after.map(({ status }) => status)), new Set([402]))
  // A worker is told of it a moment after the API's own figures.
  const until = systemClock.monotonic() + WAIT_MS_MAX
  let budget = budgetOf(after[0] as Answer)
  let refused = refusals.length + after.length
  while (budget['spent_usd'] !== charged && systemClock.monotonic() < until) {
    await pause(50)
    budget = budgetOf(await call(scene, 0))
    refused += 1
  }
  const { id, period_end: resets_at } = settled
  const limits = { limit_usd: LIMIT_USD, spent_usd: charged, resets_at }
  const named = { id, name: 'The dollar', scope: 'global', period: 'month' }
  assert.deepEqual(budget, { ...named, ...limits })

  await untilRecorded(scene, { forwarded: ends.length, refused })
  assert.equal(upstream.callCount, ends.length)
})

/** The figures of a worker come a second later. */
async function untilUnanswered({ program }: Scene, least: number): Promise<void> {
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const text = await (await fetch(`${program.addresses.api}/metrics`)).text()
    const { samples } = parseMetrics(text).get(METRICS.limiterUnanswered.name) ?? { samples: [] }
    const count = samples[0]?.value ?? 0
    if (count >= least) return
    assert.ok(systemClock.monotonic() < until, `${least} calls too many, ${count} unanswered`)
    await pause(50)
  }
}

async function untilRecorded(
  { program }: Scene,
  expected: { readonly forwarded: number; readonly refused: number },
): Promise<void> {
  const until = systemClock.monotonic() + WAIT_MS_MAX
  for (;;) {
    const text = await (await fetch(`${program.addresses.api}/metrics`)).text()
    const read = (name: string): number =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
    const found = {
      forwarded: read('weir_calls_recorded'),
      refused: read('weir_refusals_total\\{code="budget_exceeded"\\}'),
    }
    if (found.forwarded === expected.forwarded && found.refused === expected.refused) return
    assert.ok(
      systemClock.monotonic() < until,
      `${JSON.stringify(found)} of ${JSON.stringify(expected)}`,
    )
    await pause(50)
  }
}
