import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEEDS_CLICKHOUSE } from '../../test/fakes/clickhouse/find-clickhouse.ts'
import { openTestClickhouse } from '../../test/fakes/clickhouse/test-clickhouse.ts'
import { toCallsUrl } from '../../test/fakes/clickhouse/usage-place.ts'
import { systemClock } from '../core/clock.ts'
import { openClickhouse } from '../store/clickhouse/database.ts'
import { migrateClickhouse } from '../store/clickhouse/schema.ts'
import { checkCalls, judge } from './doctor-calls.ts'

const FACTS = { versionText: '26.7.2.1', version: 2607, engine: 'MergeTree', clockOffsetMs: 20 }

for (const [what, changes, level, text] of [
  ['a current one', {}, 'ok', /^ClickHouse 26\.7\.2\.1 at ch\/weir$/],
  ['an old one', { version: 2403 }, 'warn', /is not tested with Weir/],
  ['one without tables', { engine: null }, 'fault', /has no table of calls/],
  [
    'a Distributed table',
    { engine: 'Distributed' },
    'fault',
    /the table of calls is a Distributed/,
  ],
] as const) {
  test(`${what} is ${level}`, () => {
    const [finding] = judge({ ...FACTS, ...changes }, 'ch/weir')
    assert.equal(finding?.level, level)
    assert.match(finding?.text ?? '', text)
  })
}

test('a clock that is off is a warning of its own', () => {
  const findings = judge({ ...FACTS, clockOffsetMs: -2500 }, 'ch/weir')
  assert.match(findings[1]?.text ?? '', /this machine's is 2\.5 s behind ClickHouse's/)
})

test('a real server is asked', { skip: NEEDS_CLICKHOUSE }, async (t) => {
  const url = toCallsUrl(await openTestClickhouse(t))
  const [before] = await checkCalls(url, systemClock)
  assert.deepEqual([before?.level, before?.remedy], ['fault', 'Run weir migrate.'])
  const calls = openClickhouse({ url })
  t.after(() => calls.close())
  const { after } = await migrateClickhouse(calls, url)
  assert.deepEqual(await migrateClickhouse(calls, url), { before: after, after })
  const findings = await checkCalls(url, systemClock)
  assert.deepEqual(
    findings.map(({ level }) => level),
    ['ok'],
  )
  const stranger = url.replace(/:[^:@]+@/, ':wrong@')
  const [refused] = await checkCalls(stranger, systemClock)
  assert.equal(refused?.remedy, 'Check the user and the password of the URL.')
})

test('a server that is not there is a fault that says what to do', async () => {
  const [finding] = await checkCalls('clickhouse://u:p@127.0.0.1:1/weir', systemClock)
  assert.equal(finding?.level, 'fault')
  assert.match(finding?.remedy ?? '', /Check that ClickHouse runs/)
})
