// What is compared with what is decided once: Overview, analysis, the command line and agents say
// the same at one moment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analysisSchema, overviewSchema } from '../../src/api/contract.ts'
import type { Analysis, Overview } from '../../src/api/contract.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { runMain } from '../fakes/command-line.ts'
import { openApi } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { callTool, openMcpClient } from '../fakes/peers/mcp-client.ts'

const USD = 10n ** 12n
const NOW = Date.parse('2026-11-18T12:20:05.000Z')

function call(model: string, time: string, usd: bigint): UsageRecord {
  const endedAt = Date.parse(`${time}Z`)
  return createRecord({ model, endedAt, startedAt: endedAt - 1000 }, { amount: usd * USD })
}

/** 84 USD after 100 in the same days of October, and after 110 in as much time right before. */
const CALLS: readonly UsageRecord[] = [
  call('first', '2026-09-01T00:00:00', 1n),
  call('gone', '2026-10-02T10:00:00', 60n),
  call('steady', '2026-10-03T10:00:00', 30n),
  call('steady', '2026-10-18T12:20:04.999', 10n),
  call('steady', '2026-10-18T12:20:05', 50n),
  call('late', '2026-10-31T23:59:59.999', 50n),
  call('steady', '2026-11-01T00:00:00', 44n),
  call('new', '2026-11-18T12:19:00', 40n),
]

async function openScene(): Promise<{ api: OpenApi; authorization: string }> {
  const api = await openApi(NOW)
  await api.store.writeBatch(batchOf(...CALLS))
  return { api, authorization: await api.authorize('read:usage', 'read:keys') }
}

type Row = readonly [string | null, now: number | null, before: number | null]

function ofAnalysis({ from, total, previous, rows, asOf }: Analysis) {
  const before = new Map(previous?.rows.map((row) => [row.row, row.cost_usd]))
  const changed = rows.map(({ group, requests, cost_usd: cost }, row): Row => {
    return [group[0]?.value ?? null, requests === 0 ? null : cost, before.get(row) ?? null]
  })
  return {
    asOf,
    from,
    spent: total.cost_usd,
    before: [previous?.from, previous?.to, previous?.total.cost_usd, previous?.recorded_from],
    changed,
  }
}

function ofOverview({ asOf, comparison, breakdown }: Overview) {
  const { from, cost_usd: spent, before_from, before_to, ...rest } = comparison ?? assert.fail()
  return {
    asOf,
    from,
    spent,
    before: [before_from, before_to, rest.before_cost_usd, rest.recorded_from],
    changed: breakdown?.movers?.map(({ group, cost_usd: now, before_cost_usd: then }): Row => [
      group.value,
      now,
      then,
    ]),
  }
}

test('Overview, analysis, the command line and agents compare this month with the same', async (t) => {
  const { api, authorization } = await openScene()
  t.after(() => api.close())
  const read = async (path: string): Promise<unknown> => (await api.get(path, authorization)).json()
  const overview = ofOverview(overviewSchema.parse(await read('/v1/overview?group_by=model')))
  assert.deepEqual(overview, {
    asOf: '2026-11-18T12:20:05.000Z',
    from: '2026-11-01T00:00:00.000Z',
    spent: 84,
    before: ['2026-10-01T00:00:00.000Z', '2026-10-18T12:20:05.000Z', 100, null],
    changed: [
      ['gone', null, 60],
      ['new', 40, null],
      ['steady', 44, 40],
    ],
  })
  const search = 'compare=previous&order_by=change&group_by=model'
  // With its days, as Explore asks, and to the end of the hour or of the month.
  for (const more of ['', '&interval=day', '&from=2026-11-01&to=2026-12-01']) {
    const answer = analysisSchema.parse(await read(`/v1/analysis?${search}${more}`))
    assert.deepEqual(ofAnalysis(answer), overview, more)
  }

  const words = ['--compare', 'previous', '--order-by', 'change', '--group-by', 'model']
  process.env['WEIR_TOKEN'] = authorization.replace('Bearer ', '')
  t.after(() => delete process.env['WEIR_TOKEN'])
  const { code, out, err } = await runMain(['analyze', ...words, '--json', '--url', api.url])
  assert.equal(code, 0, err)
  assert.deepEqual(ofAnalysis(analysisSchema.parse(JSON.parse(out))), overview)

  const client = await openMcpClient({ url: api.url, authorization })
  t.after(() => client.close())
  const given = { compare: 'previous', order_by: 'change', group_by: ['model'] }
  const { structured, text } = await callTool(client, 'analyze_usage', given)
  assert.deepEqual(ofAnalysis(analysisSchema.parse(structured)), overview)
  assert.match(
    text,
    /Before, from 2026-10-01T00:00:00\.000Z to 2026-10-18T12:20:05\.000Z: cost_usd 100/,
  )
})
