import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine, runMain } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { openApi } from '../../../test/fakes/open-api.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import { analysisSchema } from '../../api/contract.ts'
import type { LedgerStore } from '../../store/open-store.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { createRequestId } from '../../core/ids.ts'
import { createTokenCounts } from '../../core/token-counts.ts'
import { formatAnalysis } from './analysis-table.ts'

const NOW = Date.UTC(2026, 0, 31, 12)
const DAY_MS = 86_400_000
const USD = 10n ** 12n

// Whoever runs the tests may have set them.
beforeEach(() => {
  for (const name of ['WEIR_URL', 'WEIR_TOKEN', 'LC_ALL', 'TERM']) delete process.env[name]
  process.env['NO_COLOR'] = '1'
})

const CALLS: readonly (readonly [Partial<UsageEvent>, bigint | null])[] = [
  [{ model: 'large', dims: { team: '=sum(1)' } }, 3n * USD],
  [{ model: 'small', dims: { team: 'search' }, endedAt: NOW - DAY_MS }, USD],
  [{ model: 'small', dims: { team: 'ads' }, endedAt: NOW - DAY_MS }, USD / 2n],
  [{ model: 'small', status: 'refused' }, null],
  // In the 31 days before January.
  [{ model: 'small', dims: { team: 'search' }, endedAt: NOW - 40 * DAY_MS }, 8n * USD],
]

function storeCalls(changes: Partial<UsageEvent> = {}) {
  const records = CALLS.map(([event, amount]) => {
    const tokens = createTokenCounts({ input: 1000, output: 500 })
    const call = { endedAt: NOW - 1000, tokens, ...changes, ...event }
    const startedAt = call.endedAt - 1000
    return createRecord({ ...call, startedAt, id: createRequestId(startedAt) }, { amount })
  })
  return (store: LedgerStore): Promise<void> => store.writeBatch(batchOf(...records))
}

async function openLine(context: TestContext): Promise<CommandLine> {
  const line = createCommandLine(context)
  await withUsage(line.dataDir, storeCalls())
  return line
}

test('groups add up to the total, with a line for untagged calls and one for the others', async (context) => {
  const { weir } = await openLine(context)
  const { code, out } = await weir('analyze', '--group-by', 'dim:team', '--limit', '1')
  assert.equal(code, 0)
  // 3 + 1 + 0.5 USD; the refused call has no team, no known cost, and tokens as the others have.
  assert.equal(
    out,
    [
      'Usage by team, 2026-01-01 00:00Z to 2026-01-31 13:00Z',
      '',
      'TEAM           USD  SHARE  REQUESTS  TOKENS  ERRORS',
      '=sum(1)       3.00   67 %         1   1,500       0',
      'Without team  0.00    0 %         1   1,500       1',
      'Other         1.50   33 %         2   3,000       0',
      'total         4.50  100 %         4   6,000       1',
      '',
      'As of 2026-01-31 12:00Z. Days and months are UTC.',
      'Groups in Other: 2; --offset and --limit show them, --csv --all has all.',
      'The cost of some calls (1) is not known and counts as 0. To list them: weir prices missing',
    ].join('\n'),
  )
})

test('by day, compared, filtered: a trend for each group, and each day with its sum', async (context) => {
  const { weir } = await openLine(context)
  const words = '--group-by model --interval day --from 2026-01-29 --compare previous'
  const filter = ['--filter', 'dim:team!=', '--filter', 'dim:team!=nobody']
  const { out } = await weir('analyze', ...words.split(' '), ...filter)
  assert.equal(
    out,
    [
      'Usage by model, 2026-01-29 00:00Z to 2026-01-31 13:00Z',
      '',
      'Filters: dim:team!=, dim:team!=nobody',
      '',
      'MODEL   USD  SHARE  BEFORE  CHANGE    %  REQUESTS  TOKENS  ERRORS  TREND',
      'large  3.00   67 %    0.00   +3.00  new         1   1,500       0  __#',
      'small  1.50   33 %    0.00   +1.50  new         2   3,000       0  _#_',
      'total  4.50  100 %    0.00   +4.50  new         3   4,500       0  _=#',
      '',
      'DAY            USD  REQUESTS',
      '2026-01-29    0.00         0',
      '2026-01-30    1.50         2  ####################',
      '2026-01-31 *  3.00         1  ########################################',
      '',
      'As of 2026-01-31 12:00Z. Days and months are UTC.',
      'BEFORE is 2026-01-26 11:00Z to 2026-01-29 00:00Z; it and CHANGE are in USD.',
      '* in part: cut by the span, or not over yet.',
    ].join('\n'),
  )
})

test('what only the span before had is a line of its own, and first among the changes', async (context) => {
  const { weir } = await openLine(context)
  const month = '--group-by dim:team --filter dim:team=search --compare previous'
  // 1 USD in January after 8 in December.
  const { out } = await weir('analyze', ...month.split(' '))
  assert.match(out, /^search +1\.00 +100 % +8\.00 +-7\.00 +-88 /m)
  assert.match(out, /^BEFORE is 2025-12-01 00:00Z to 2025-12-31 12:00Z; /m)
  assert.match(out, /^Of it nothing is on record before 2025-12-22 11:59Z, Weir's first call\.$/m)
  const day = '--group-by model --filter status=delivered --compare previous --from 2026-01-31'
  const { out: gone } = await weir('analyze', ...day.split(' '), '--order-by', 'change')
  assert.match(
    gone,
    /^large +3\.00 +100 % +0\.00 +\+3\.00 +new +1 .*\nsmall +0\.00 +0 % +1\.50 +-1\.50 +gone +0 +0 +0$/m,
  )
  const nothing = await weir('analyze', '--filter', 'dim:team=nobody', '--interval', 'day')
  assert.match(nothing.out, /\n\nNo call on record matches\.\n\nAs of /)
})

test('says why calls may be missing, and names no command that would not help', async (context) => {
  const { weir } = await openLine(context)
  const { out } = await weir('analyze', '--json')
  const analysis = { ...analysisSchema.parse(JSON.parse(out)), complete_from: '2026-01-05T00:00Z' }
  const terminal = { columns: 100, isPlain: true }
  const text = formatAnalysis(analysis, { terminal, filters: [], measure: 'cost', url: null })
  assert.match(
    text,
    /^Calls that ended before 2026-01-05 00:00Z may be missing: they were removed by age before they were summed\.$/m,
  )
})

test('shows names of keys beside their ids, here and remotely the same', async (context) => {
  const api = await openApi(NOW)
  context.after(() => api.close())
  const line = createCommandLine(context)
  const made = await line.json<{ id: string }>('keys', 'create', '--name', 'build')
  const calls = storeCalls({ keyId: made.id })
  await withUsage(line.dataDir, calls)
  await calls(api.store)
  const [, token = ''] = (await api.authorize('read:usage', 'read:keys')).split(' ')
  process.env['WEIR_TOKEN'] = token
  const byKey = ['analyze', '--group-by', 'api_key', '--latency']
  const { out } = await line.weir(...byKey)
  assert.match(
    out,
    /^API KEY +NAME +USD +SHARE +REQUESTS +TOKENS +ERRORS +NOT STREAMED MS +TOTAL MS +TOKENS\/S$/m,
  )
  // Each took a second and put 500 tokens out; percentiles are within 7.3 %.
  assert.match(out, new RegExp(`^${made.id}  build .* (9\\d\\d|1,0\\d\\d)/.*/.* 500\\.0$`, 'm'))
  assert.match(out, /^Times are p50\/p95\/p99/m)
  // The API's own store has no such key: only the name differs.
  const there = await runMain([...byKey, '--url', api.url])
  assert.equal(there.code, 0, there.err)
  assert.match(there.out, /from http:\/\/127\.0\.0\.1/)
  for (const words of [
    '--group-by model --group-by dim:team --interval week',
    '--order-by tokens',
  ]) {
    const call = ['analyze', ...words.split(' '), '--compare', 'previous', '--json']
    const json = await line.weir(...call)
    analysisSchema.parse(JSON.parse(json.out))
    assert.equal((await runMain([...call, '--url', api.url])).out, json.out)
  }
})

test('the CSV is the table beside it: its rows, columns and order', async (context) => {
  const { weir } = await openLine(context)
  const words = '--group-by dim:team --interval day --limit 1 --order-by requests'.split(' ')
  const csv = (await weir('analyze', ...words, '--csv')).out.split('\r\n')
  const [head, ...lines] = csv.map((line) => line.split(','))
  assert.deepEqual(head, ['dim:team', 'requests', 'share_percent', 'cost_usd', 'tokens', 'errors'])
  const table = (await weir('analyze', ...words)).out.split('\n')
  const top = table.findIndex((line) => line.startsWith('TEAM'))
  assert.match(table[top] ?? '', /^TEAM +REQUESTS +SHARE +USD +TOKENS +ERRORS +TREND$/)
  const shown = table.slice(top + 1, top + 1 + lines.length).map((line) => line.split(/ {2,}/))
  const plain = (cell = ''): string => cell.replaceAll(/[,']/g, '').replace(/\.00$/, '')
  assert.deepEqual(
    lines.map(([team, requests, , , tokens]) => [team, requests, tokens].map(plain)),
    shown.map(([team, requests, , , tokens]) => [team, requests, tokens].map(plain)),
  )
  assert.equal(lines.at(-1)?.[0], 'Other')
})

test('all groups, and every step of them, are files; no text is a formula', async (context) => {
  const { weir, dataDir } = await openLine(context)
  const words = '--csv --group-by dim:team --interval day --from 2026-01-30'.split(' ')
  const all = (await weir('analyze', ...words, '--all')).out.split('\r\n')
  assert.deepEqual(
    all.map((line) => line.split(',').slice(0, 2).join(' ')),
    ['dim:team cost_usd', "'=sum(1) 3", 'search 1', 'ads 0.5', 'Without team '],
  )
  const file = `${dataDir}.csv`
  const { out: said } = await weir('analyze', ...words, '--steps', '--output', file)
  assert.match(said, /\.csv: /)
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n')
  assert.match(
    head ?? '',
    /^span,bucket,is_partial,dim:team,dim:team_kind,cost_usd,market_cost_usd,/,
  )
  assert.deepEqual(
    lines.map((line) => line.split(',').slice(0, 6)),
    [
      ['current', '2026-01-30T00:00:00.000Z', 'false', 'search', 'value', '1'],
      ['current', '2026-01-30T00:00:00.000Z', 'false', 'ads', 'value', '0.5'],
      ['current', '2026-01-31T00:00:00.000Z', 'true', "'=sum(1)", 'value', '3'],
      ['current', '2026-01-31T00:00:00.000Z', 'true', '', 'none', '0'],
    ],
  )
})

const REFUSED: readonly (readonly [words: string, code: 1 | 2, pattern: RegExp])[] = [
  ['--interval minute', 2, /interval must be one of none, hour/],
  ['--group-by tribe', 2, /--group-by must be one of .*\nweir analyze --help shows/],
  ['--filter team', 2, /filter must be FIELD=VALUE/],
  ['--from 2026-01-31T11:30Z', 2, /from must be a date or a whole hour/],
  ['--csv --json', 2, /exclude each other/],
  ['--all', 2, /--all goes with --csv/],
  ['--csv --output x.csv', 2, /--output goes with/],
  ['--csv --all --limit 3', 2, /--limit does not go/],
  ['--offset x', 2, /offset must be an integer from 0/],
  ['--filter api_key=svc_k_nobody', 1, /There is no key svc_k_nobody/],
  ['--url http://127.0.0.1:1', 1, /needs an access token in WEIR_TOKEN/],
]

for (const [words, code, pattern] of REFUSED) {
  test(`weir analyze ${words} is refused`, async (context) => {
    const { weir } = createCommandLine(context)
    const result = await weir('analyze', ...words.split(' '))
    assert.deepEqual([result.code, result.out], [code, ''], result.err)
    assert.match(result.err, pattern)
  })
}
