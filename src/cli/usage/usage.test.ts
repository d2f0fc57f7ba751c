import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine, runMain } from '../../../test/fakes/command-line.ts'
import type { CommandResult } from '../../../test/fakes/command-line.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import type { OpenApi } from '../../../test/fakes/open-api.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import { usageEnvelopeSchema } from '../../api/contract.ts'
import type { UsageEnvelope } from '../../api/contract.ts'
import { isPlainTerminal, readRemoteUrl } from '../../config/config.ts'
import { openRemoteRoutes } from '../remote-routes.ts'
import { toUsageCsv } from './usage-csv.ts'
import type { LedgerStore } from '../../store/open-store.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
/** A port at which somebody listened a moment ago. */
async function findClosedPort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

const DAY_MS = 86_400_000
const USD = 10n ** 12n

// Whoever runs the tests may have set them.
beforeEach(() => {
  for (const name of ['WEIR_URL', 'WEIR_TOKEN', 'LC_ALL', 'TERM']) delete process.env[name]
  process.env['NO_COLOR'] = '1'
})

async function storeCalls(usage: LedgerStore): Promise<void> {
  await usage.writeBatch(
    batchOf(
      createRecord(
        { endedAt: NOW - 1000, model: 'large', dims: { team: '=sum(1)' } },
        { amount: 3n * USD },
      ),
      createRecord(
        { endedAt: NOW - DAY_MS, model: 'small', dims: { team: 'search, ads' } },
        { amount: USD / 2n },
      ),
      createRecord({ endedAt: NOW - 40 * DAY_MS, model: 'small' }, { amount: 8n * USD }),
    ),
  )
}

test('a glance tells what was spent, on what, and how it goes', async (context) => {
  const { weir, dataDir } = createCommandLine(context)
  await withUsage(dataDir, storeCalls)
  const { code, out } = await weir('usage')
  assert.equal(code, 0)
  assert.equal(
    out,
    [
      'SPENT           USD  REQUESTS  TOKENS',
      'today          3.00         1',
      'yesterday      0.50',
      'month to date  3.50         2      30',
      'last month     8.00',
      '',
      // 3.50 in 30.5 of 31 days; the first call was on 22 December.
      'Forecast for 2026-01: 3.56, at the pace since 2026-01-01.',
      '2026-01-01 to 2026-01-31 12:00Z: 3.50; 2025-12-01 to 2025-12-31 12:00Z: 8.00.',
      'Nothing is on record before 2025-12-22.',
      '',
      'Cost by model, month to date (2026-01)',
      'MODEL   USD  SHARE',
      'large  3.00   86 %  ########################################',
      'small  0.50   14 %  #######',
      'total  3.50  100 %',
      '',
      'Cost by provider, month to date (2026-01)',
      'PROVIDER   USD  SHARE',
      'north     3.50  100 %  ########################################',
      'total     3.50  100 %',
      '',
      'Last 30 days',
      '____________________________.#  3.50 USD in total, most on 2026-01-31: 3.00',
      '',
      'As of 2026-01-31 12:00Z. Days and months are UTC.',
    ].join('\n'),
  )
})

test('a month that was repriced is marked, with its sum before and after', async (context) => {
  const { weir, dataDir } = createCommandLine(context)
  await withUsage(dataDir, storeCalls)
  await withUsage(dataDir, async (store) => {
    const { upkeep } = store.usage
    const records = await upkeep.readRecords(ALL_REQUESTS, { after: null, rowsMax: 10 })
    const old = records.find(({ cost }) => cost.amount === 8n * USD)
    assert.ok(old !== undefined)
    const after = { ...old.cost, amount: 9n * USD }
    const line = { repricing: null, at: NOW - DAY_MS, who: 'me', what: 'all', prices: [] }
    await upkeep.changeCosts([{ id: old.event.id, before: old.cost, after }], line)
  })
  const mark = '2025-12 was repriced on 2026-01-30 12:00Z: 8.00 USD before, 9.00 USD after.'
  const marked = [[], ['--window', 'last_month'], ['--month', '2025-12'], ['--months', '3']]
  for (const words of marked) {
    const { out } = await weir('usage', ...words)
    assert.ok(out.split('\n').includes(mark), out)
  }
  for (const words of [
    ['--dimension', 'model'],
    ['--metric', 'tokens', '--months', '3'],
  ]) {
    assert.doesNotMatch((await weir('usage', ...words)).out, /repriced/)
  }
})

test('a glance is of one moment, however long another answer is kept', async (context) => {
  const { weir, dataDir, clock } = createCommandLine(context)
  // 0.000435 USD each, in the unit of money.
  const put = () =>
    withUsage(dataDir, (usage) =>
      usage.writeBatch(
        batchOf(createRecord({ endedAt: NOW, model: 'm' }, { amount: 435_000_000n })),
      ),
    )
  await put()
  assert.match((await weir('usage')).out, /^month to date +0\.000435 +1 /m)
  assert.match((await weir('usage', '--window', 'last_month')).out, /^As of 2026-01-31 12:00Z/m)
  for (let call = 0; call < 3; call += 1) await put()
  clock.nowMs += 61_000
  const { out } = await weir('usage')
  assert.match(out, /^today +0\.00174 +4$/m)
  assert.match(out, /^month to date +0\.00174 +4 /m)
  assert.match(out, /^total +0\.00174 +100 %/m)
  assert.match(out, /^As of 2026-01-31 12:01Z/m)
  const models = await weir('usage', '--dimension', 'model')
  assert.match(models.out, /^m +0\.00174 +100 %/m)
  assert.match(models.out, /^total +0\.00174 +100 %$/m)
})

test('what carries no tag and what is beyond the limit are rows of their own', async (context) => {
  const { weir, dataDir } = createCommandLine(context)
  await withUsage(dataDir, async (usage) => {
    for (const [team, dollars] of [
      ['a', 4n],
      ['b', 3n],
      ['c', 2n],
      [null, 1n],
    ] as const) {
      const dims: Record<string, string> = team === null ? {} : { team }
      await usage.writeBatch(
        batchOf(createRecord({ endedAt: NOW, dims }, { amount: dollars * USD })),
      )
    }
  })
  const { out } = await weir('usage', '--dimension', 'dim', '--dim-key', 'team', '--limit', '2')
  const lines = out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3).join(' '))
  assert.deepEqual(lines.slice(2, 8), [
    'TEAM USD SHARE',
    'a 4.00 40 %',
    'b 3.00 30 %',
    'Other 2.00 20 %',
    'Without team 1.00 10 %',
    'total 10.00 100 %',
  ])
})

test('an empty record is told as such, with what to do', async (context) => {
  const { weir } = createCommandLine(context)
  const { code, out } = await weir('usage')
  assert.equal(code, 0)
  assert.match(out, /^Nothing is on record yet\.\n.*weir keys create --name NAME/)
  assert.match(out, /^As of 2026-01-31 12:00Z/m)
})

describe('a question', () => {
  test('is answered with what goes without saying', async (context) => {
    const { weir, dataDir } = createCommandLine(context)
    await withUsage(dataDir, storeCalls)
    for (const [words, title] of [
      ['--dimension model', 'Cost by model, month to date (2026-01)'],
      ['--month 2025-12', 'Cost, 2025-12'],
      ['--months 2', 'Cost by provider, the last 2 months'],
      ['--window monthly_series', 'Cost by provider, the last 12 months'],
      ['--dimension day', 'Cost by day, last 30 days'],
      ['--metric requests', 'Requests, month to date (2026-01)'],
      ['--window today', 'Cost, today (2026-01-31)'],
      ['--dimension dim --dim-key team', 'Cost by team, month to date (2026-01)'],
    ] as const) {
      const { code, out, err } = await weir('usage', ...words.split(' '))
      assert.equal(code, 0, err)
      assert.equal(out.split('\n')[0], title)
      assert.match(out, /\n\nAs of 2026-01-31 12:00Z/)
    }
  })

  test('that the API would refuse is refused in its words', async (context) => {
    const { weir } = createCommandLine(context)
    const wrong = await weir('usage', '--dimension', 'model', '--window', 'today')
    assert.equal(wrong.code, 2)
    assert.match(
      wrong.err,
      /^weir usage failed \(unknown_catalog_tuple\)\n.*cost_usd by model over/,
    )
    const json = await weir('usage', '--limit', '0', '--json')
    const { code, error, hint } = JSON.parse(json.err) as Record<string, string>
    assert.equal(code, 'invalid_parameter')
    assert.match(error ?? '', /limit must be an integer from 1 to 1000/)
    assert.match(hint ?? '', /weir usage --help/)
  })

  test('about keys has their names in the table and the CSV, not in JSON', async (context) => {
    const { weir, json, dataDir } = createCommandLine(context)
    const key = await json<{ id: string }>('keys', 'create', '--name', 'search team')
    await withUsage(dataDir, (usage) =>
      usage.writeBatch(batchOf(createRecord({ endedAt: NOW, keyId: key.id }, { amount: USD }))),
    )
    const words = ['usage', '--dimension', 'api_key']
    assert.match((await weir(...words)).out, new RegExp(`^${key.id} {2}search team +1\\.00`, 'm'))
    const { out } = await weir(...words, '--json')
    assert.ok(out.includes(key.id) && !out.includes('search team'), out)
  })

  test('says when there are calls whose cost is not known', async (context) => {
    const { weir, dataDir } = createCommandLine(context)
    const unpriced = { amount: null, source: 'unpriced', priceVersion: null } as const
    await withUsage(dataDir, (usage) =>
      usage.writeBatch(batchOf(createRecord({ endedAt: NOW }, unpriced))),
    )
    const note = /is not known and counts as 0\. To list them: weir prices missing$/
    assert.match((await weir('usage')).out, note)
    assert.match((await weir('usage', '--dimension', 'model')).out, note)
    // They are counted like any other.
    assert.match((await weir('usage', '--metric', 'requests')).out, /^1\n\nAs of .* UTC\.$/m)
    assert.doesNotMatch((await weir('usage', '--metric', 'requests')).out, note)
  })
})

const ROW = { label: 'total', value: 3, bucket: null, model: null, requests: null, tokens: null }
const ROW_TIME = new Date(NOW).toISOString()
const LIMITED = { error: 'Ask again later.', code: 'rate_limited' }

describe('for programs', () => {
  test('JSON is the envelope, of the total where nothing is asked', async (context) => {
    const { json, dataDir } = createCommandLine(context)
    await withUsage(dataDir, storeCalls)
    const total = await json<UsageEnvelope>('usage')
    assert.deepEqual(total, usageEnvelopeSchema.parse(total))
    assert.deepEqual([total.asOf, total.rows[0]?.value], ['2026-01-31T12:00:00.000Z', 3.5])
  })

  test('the snapshot is the one that the API shares', async (context) => {
    const { json, dataDir, clock } = createCommandLine(context)
    await withUsage(dataDir, storeCalls)
    const first = await json('usage', '--window', 'today')
    clock.nowMs += 59_999
    assert.deepEqual(await json('usage', '--window', 'today'), first)
    clock.nowMs += 1
    assert.notDeepEqual(await json('usage', '--window', 'today'), first)
  })

  test('CSV has the digits of the API, and never an exponent', () => {
    const texts = [
      [4.2e-8, '0.000000042'],
      [0.000000001, '0.000000001'],
      [1284.503, '1284.503'],
      // More digits than a number holds would be made up.
      [10_000_000.1, '10000000.1'],
      [123_456_789.123, '123456789.123'],
      [0, '0'],
      [20_000_000_000, '20000000000'],
    ] as const
    const rows = texts.map(([value]) => ({ ...ROW, value }))
    const lines = toUsageCsv({ asOf: '', rows }).split('\r\n').slice(1, -1)
    assert.deepEqual(
      lines,
      texts.map(([, text]) => `total,${text},,,,`),
    )
  })

  test('CSV has all fields, quotes where they are needed, and no formula', async (context) => {
    const { weir, json, dataDir } = createCommandLine(context)
    await withUsage(dataDir, storeCalls)
    const { out } = await weir('usage', '--csv', '--dimension', 'dim_model', '--dim-key', 'team')
    // `out` adds the last line feed.
    assert.equal(
      `${out}\n`,
      [
        'label,value,bucket,model,requests,tokens',
        `'=sum(1),3,,large,1,15`,
        '"search, ads",0.5,,small,1,15',
        '',
      ].join('\r\n'),
    )
    const { id } = await json<{ id: string }>('keys', 'create', '--name', '=Nightly, jobs')
    await withUsage(dataDir, (store) =>
      store.writeBatch(batchOf(createRecord({ endedAt: NOW, keyId: id }, { amount: 9n * USD }))),
    )
    const keys = (await weir('usage', '--csv', '--dimension', 'api_key')).out.split('\r\n')
    assert.equal(keys[0], 'label,value,bucket,model,requests,tokens,api_key_name')
    assert.ok(keys.includes(`${id},9,,,,,"'=Nightly, jobs"`), keys.join('\n'))
    const both = await weir('usage', '--csv', '--json')
    assert.equal(both.code, 2)
    assert.match(both.err, /--json and --csv/)
  })
})

describe('a remote Weir', () => {
  let api: OpenApi
  let token: string

  before(async () => {
    api = await openApi(NOW)
    await storeCalls(api.store)
    token = (await api.authorize('read:usage')).replace('Bearer ', '')
  })
  after(() => api.close())

  const ask = (...words: readonly string[]): Promise<CommandResult> => runMain(['usage', ...words])

  test('answers through its API, with the token of the environment', async () => {
    process.env['WEIR_TOKEN'] = token
    const { code, out } = await ask('--url', `${api.url}/`, '--dimension', 'model')
    assert.equal(code, 0)
    assert.match(out, /^large +3\.00 +86 %/m)
    assert.ok(out.endsWith(`As of 2026-01-31 12:00Z, from ${api.url}/. Days and months are UTC.`))
    process.env['WEIR_URL'] = api.url
    const remote = JSON.parse((await ask('--window', 'today', '--json')).out) as UsageEnvelope
    const path = '/v1/usage?metric=cost_usd&window=today'
    assert.deepEqual(remote, await (await api.get(path, `Bearer ${token}`)).json())
    assert.match((await ask()).out, /^month to date {2}3\.50 +2 +30$/m)
  })

  test('is not asked without a token, or with one that cannot be sent', async () => {
    const missing = await ask('--url', api.url)
    assert.equal(missing.code, 1)
    assert.match(missing.err, /needs an access token in WEIR_TOKEN\.\n.*--scope read:usage/)
    process.env['WEIR_TOKEN'] = 'a secret'
    const odd = await ask('--url', api.url)
    assert.match(odd.err, /\(invalid_argument\)\nWEIR_TOKEN: token must be.*\nIs WEIR_TOKEN right/)
    assert.ok(!odd.err.includes('a secret'))
  })

  test('tells why it does not answer, and what to do', async () => {
    process.env['WEIR_TOKEN'] = 'svc_agt_x.y'
    assert.match((await ask('--url', api.url)).err, /\(unauthorized\)\n.*\nIs WEIR_TOKEN right\?/)
    process.env['WEIR_TOKEN'] = token
    const keys = await ask('--url', api.url, '--dimension', 'api_key')
    assert.match(keys.err, /\(scope_denied\)\n.*read:keys/)
    const wrong = await ask('--url', api.url, '--months', '99')
    assert.match(wrong.err, /\(invalid_parameter\)\n.*months.*\nweir usage --help/)
    assert.match((await ask('--url', 'nowhere')).err, /\(invalid_argument\)\n--url: url must be/)
    const away = await ask('--url', `http://127.0.0.1:${await findClosedPort()}`)
    assert.match(away.err, /\(upstream_unreachable\)\n.*could not be reached: .*ECONNREFUSED/)
    const page = await ask('--url', `${api.url}/no-weir`)
    assert.match(page.err, /not_found|upstream_unreachable/)
  })

  test('is waited for where the limit is reached, and that is said', async (context) => {
    let asked = 0
    const server = createHttpServer((_, response) => {
      asked += 1
      response.setHeader('Retry-After', '1')
      response.statusCode = asked === 1 ? 429 : 200
      response.end(JSON.stringify(asked === 1 ? LIMITED : { asOf: ROW_TIME, rows: [ROW] }))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    context.after(() => server.close())
    process.env['WEIR_TOKEN'] = token
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, out, err } = await ask('--url', url, '--window', 'today', '--csv')
    assert.deepEqual([code, asked], [0, 2])
    assert.match(out, /^total,3,,,,/m)
    assert.equal(err, 'Too many requests; retrying in 1 s.')
  })

  test('that does not answer in time is given up', async () => {
    const notes = { onSilentNodes: () => {}, onWait: () => {} }
    const remote = openRemoteRoutes({ url: api.url, token, timeoutMs: 0, ...notes })
    const query = { metric: 'cost_usd', window: 'today' }
    await assert.rejects(remote.ask('GET /v1/usage', { query }), { code: 'upstream_timeout' })
  })
})

test('the environment tells where to ask, and what the terminal can show', () => {
  for (const [env, isPlain] of [
    [{}, false],
    [{ NO_COLOR: '' }, false],
    [{ NO_COLOR: '1' }, true],
    [{ TERM: 'dumb' }, true],
    [{ TERM: 'xterm', LANG: 'en_GB.UTF-8' }, false],
    [{ LANG: 'C' }, true],
    [{ LANG: 'C', LC_ALL: 'C.UTF-8' }, false],
    [{ LC_CTYPE: 'POSIX' }, true],
  ] as const) {
    assert.equal(isPlainTerminal(env), isPlain, JSON.stringify(env))
  }
  assert.equal(readRemoteUrl({ WEIR_URL: 'http://a' }), 'http://a')
  assert.equal(readRemoteUrl({ WEIR_URL: '' }), null)
})
