// Every provider's own client through the real program: the client gets its answer, and the record
// has the model, the tokens, the cost and where the cost comes from.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { openLedgerStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import { formatMoney } from '../../src/core/money.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { untilKeyKnown } from '../fakes/callers/until-key-known.ts'
import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'
import { openReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'
import { anthropicCases } from './anthropic-cases.ts'
import { bedrockCases } from './bedrock-cases.ts'
import type { ClientCase, ExpectedRecord } from './client-case.ts'
import { cohereCases } from './cohere-cases.ts'
import { gatewayCases } from './gateway-cases.ts'
import { googleCases } from './google-cases.ts'
import { groqCases } from './groq-cases.ts'
import { mistralCases } from './mistral-cases.ts'
import { ollamaCases } from './ollama-cases.ts'
import { openaiCases } from './openai-cases.ts'

const CASES = [
  ...openaiCases,
  ...anthropicCases,
  ...googleCases,
  ...gatewayCases,
  ...bedrockCases,
  ...mistralCases,
  ...cohereCases,
  ...groqCases,
  ...ollamaCases,
]

const RECORDS_MS_MAX = 120_000
/** Its tokens are counted from its text. */
const COUNTED = openaiCases.find(({ expected }) => expected.usage === 'estimated')

test("what each provider's own client is answered, Weir records", async (t) => {
  // One call a case, in their order: the upstream answers each with the reply of its turn.
  const upstream = await openReplyingUpstream(CASES.map(({ reply }) => reply))
  t.after(() => upstream.close())
  assert.ok(COUNTED !== undefined)
  const beside = await openReplyingUpstream([COUNTED.reply])
  t.after(() => beside.close())
  const providers = [...new Set(CASES.map(({ provider }) => provider))]
  const settings = providers.map((id) => [`PROVIDER_${id.toUpperCase()}_URL`, upstream.url])
  // One worker: what it knows of the key, the next call meets too.
  const program = await openProgram({
    settings: {
      ...(Object.fromEntries(settings) as Record<string, string>),
      PROXY_WORKERS: '1',
      PROVIDER_BESIDE_URL: beside.url,
      PROVIDER_BESIDE_SHAPE: 'openai',
    },
  })
  t.after(() => program.close())
  const { key } = await program.json<{ key: string }>('keys', 'create', '--name', 'app')

  await untilKeyKnown(program.addresses.proxy, key)
  await untilCounting(program, COUNTED, key)
  for (const [index, each] of CASES.entries()) {
    await t.test(`${each.name} is answered`, async () => {
      const headers = { 'x-svc-api-key': key, 'x-svc-dims': `case=${index}` }
      const baseUrl = `${program.addresses.proxy}/v1/${each.provider}`
      assert.equal(await each.call({ baseUrl, headers }), each.text)
    })
  }
  const records = await readRecords(program.dataDir, CASES.length)
  for (const [index, { name, provider, expected }] of CASES.entries()) {
    await t.test(`${name} is recorded`, () => {
      const record = records.find(({ event }) => event.dims['case'] === String(index))
      assert.ok(record)
      assert.equal(record.event.provider, provider)
      assert.deepEqual(describe(record), complete(expected))
    })
  }
})

/** A worker loads its tokenizer for the first text: on a busy machine it counts that roughly. */
async function untilCounting(
  { addresses }: Program,
  first: ClientCase,
  key: string,
): Promise<void> {
  const until = systemClock.monotonic() + RECORDS_MS_MAX
  const headers = { 'x-svc-api-key': key }
  for (let made = 0; made === 0;) {
    assert.ok(systemClock.monotonic() < until, 'no text was counted by the tokenizer')
    await first.call({ baseUrl: `${addresses.proxy}/v1/beside`, headers })
    await pause(1000)
    const text = await (await fetch(`${addresses.api}/metrics`)).text()
    made = Number(/^weir_estimates_total\{result="made"\} (\d+)$/m.exec(text)?.[1])
  }
}

function complete({ tokens, usage, toolCalls, ...rest }: ExpectedRecord): unknown {
  return {
    ...rest,
    tokens: createTokenCounts(tokens),
    usage: usage ?? 'reported',
    toolCalls: toolCalls ?? {},
    status: 'delivered',
  }
}

function describe({ event, cost }: UsageRecord): unknown {
  const { requestedModel, model, tokens, usage, toolCalls, status } = event
  const amount = cost.amount === null ? null : formatMoney(cost.amount)
  return {
    requestedModel,
    model,
    tokens,
    usage,
    toolCalls,
    status,
    cost: amount,
    source: cost.source,
  }
}

/** All records, once there are so many. */
async function readRecords(dataDir: string, count: number): Promise<readonly UsageRecord[]> {
  const until = systemClock.monotonic() + RECORDS_MS_MAX
  for (;;) {
    const ids = listIds(dataDir)
    if (ids.length >= count || systemClock.monotonic() > until) return readAll(dataDir, ids)
    await pause(50)
  }
}

/** The store answers for one id only: which there are is read from its file. */
function listIds(dataDir: string): string[] {
  const file = new DatabaseSync(join(dataDir, 'usage.db'), { readOnly: true })
  try {
    const rows = file
      .prepare(
        "SELECT hex(id) AS id FROM records WHERE status <> 'denied' AND provider <> 'beside'",
      )
      .all() as { id: string }[]
    const pattern = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/
    return rows.map(({ id }) => id.toLowerCase().replace(pattern, '$1-$2-$3-$4-$5'))
  } finally {
    file.close()
  }
}

async function readAll(dataDir: string, ids: readonly string[]): Promise<readonly UsageRecord[]> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  try {
    const records = await Promise.all(ids.map((id) => store.usage.readRecord(id)))
    return records.filter((record) => record !== null)
  } finally {
    await store.close()
  }
}
