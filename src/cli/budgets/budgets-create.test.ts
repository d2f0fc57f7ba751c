import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { batchOf, createRecord } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine, MAIL_SETTINGS } from '../../../test/fakes/command-line.ts'
import { withUsage } from '../../../test/fakes/stored-calls.ts'
import { budgetSchema } from '../../api/contract.ts'
import type { BudgetRow } from '../../api/contract.ts'

const USD = 10n ** 12n
const DAY_MS = 86_400_000
/** An address that nobody has to look up. */
const WEBHOOK = 'https://8.8.8.8/weir'
const GLOBAL = ['--limit-usd', '100', '--period', 'month', '--scope', 'global']

test('a new budget is printed with all that was decided about it, and what was spent already', async (context) => {
  const { json, dataDir, clock } = createCommandLine(context, { settings: MAIL_SETTINGS })
  const call = { endedAt: clock.nowMs - 1000, dims: { team: 'search' } }
  const longAgo = createRecord({ endedAt: clock.nowMs - 40 * DAY_MS }, { amount: 0n })
  await withUsage(dataDir, (usage) =>
    usage.writeBatch(batchOf(createRecord(call, { amount: (25n * USD) / 2n }), longAgo)),
  )
  const row = await json<BudgetRow>(
    ...[
      [
        'budgets',
        'create',
        '--name',
        ' Search team ',
        '--limit-usd',
        '100.50',
        '--period',
        'month',
      ],
      ['--scope', 'dim:team=search', '--at', '100,50,50', '--block'],
      ['--webhook', WEBHOOK, '--webhook', WEBHOOK, '--slack', 'https://8.8.4.4/T0/B0/x'],
      ['--email', 'finance@example.com'],
    ].flat(),
  )
  const { id, targets, webhook_secret: secret, ...rest } = budgetSchema.parse(row)
  assert.match(id, /^bud_[0-9a-f]{16}$/)
  assert.match(secret ?? '', /^whsec_[A-Za-z0-9+/]{32}$/)
  assert.deepEqual(
    targets.map(({ id: _id, ...target }) => target),
    [
      { kind: 'webhook', address: WEBHOOK, secret },
      { kind: 'slack', address: 'https://8.8.4.4/T0/B0/x' },
      { kind: 'email', address: 'finance@example.com' },
    ],
  )
  assert.deepEqual(rest, {
    name: 'Search team',
    version: 1,
    scope: 'dim:team=search',
    scope_name: null,
    default_of: null,
    period: 'month',
    limit_usd: 100.5,
    each: 'none',
    targets_only: false,
    thresholds: [50, 100],
    blocking: true,
    created_at: '2026-01-31T12:00:00.000Z',
    period_start: '2026-01-01T00:00:00.000Z',
    period_end: '2026-02-01T00:00:00.000Z',
    spent_usd: 12.5,
    spent_percent: 12.43,
    is_exceeded: false,
    members: null,
    forecast_usd: 12.704918033,
    forecast_from: '2026-01-01T00:00:00.000Z',
    unpriced_requests: 0,
    unknown_cost_usd: 0,
    running_calls: null,
    reserved_usd: null,
    overshoot_max_usd: null,
  })
})

test('a budget with the least said alerts at three thresholds and blocks nothing', async (context) => {
  const { json } = createCommandLine(context)
  const row = await json<BudgetRow>('budgets', 'create', '--name', 'x', ...GLOBAL)
  assert.deepEqual(row.thresholds, [50, 80, 100])
  assert.equal(row.blocking, false)
  assert.deepEqual(row.targets, [])
  assert.ok(!('webhook_secret' in row))
})

test('people are told the secret once, and how to verify with it', async (context) => {
  const { weir, json } = createCommandLine(context)
  const words = ['budgets', 'create', '--name', 'x', ...GLOBAL, '--webhook', WEBHOOK]
  const { code, out, err } = await weir(...words)
  assert.equal(code, 0, err)
  assert.match(
    out,
    /^Budget bud_\w+ \(x\) was created\. It counts what is spent since 2026-01-01\.$/m,
  )
  assert.match(out, /^ {2}whsec_[A-Za-z0-9+/]{32}$/m)
  assert.match(out, /not shown again.*\n.*new Webhook\(secret\)\.verify\(body, headers\)/)
  const [secret = ''] = /whsec_[A-Za-z0-9+/]{32}/.exec(out) ?? []
  assert.ok(!JSON.stringify(await json('budgets', 'list')).includes(secret))
  assert.ok(!(await weir('budgets', 'list')).out.includes(secret))
})

const many = (flag: string, count: number, toValue: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => [flag, toValue(index)]).flat()

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a blank name', ['--name', ' '], /--name must have 1 to 100/],
  ['a limit of nothing', ['--limit-usd', '0'], /--limit-usd must be .* above 0 .*unlike "0"/],
  ['a limit below zero', ['--limit-usd=-5'], /unlike "-5"/],
  ['a limit with an exponent', ['--limit-usd', '1e3'], /unlike "1e3"/],
  ['a limit with a currency', ['--limit-usd', '$5'], /unlike "\$5"/],
  ['a limit with a comma', ['--limit-usd', '1,000'], /unlike "1,000"/],
  ['a limit above a billion', ['--limit-usd', '1000000000.01'], /at most 1000000000/],
  ['13 decimals', ['--limit-usd', '0.0000000000001'], /at most 12 decimals/],
  ['a year', ['--period', 'year'], /--period must be one of day, week, month, unlike "year"/],
  ['a period with a slip', ['--period', 'mont'], /Did you mean month\?/],
  ['no scope', ['--scope', 'team'], /--scope is wrong: it must be global, api_key=ID/],
  ['a scope of a secret', ['--scope', 'api_key=nonsense'], /without its secret/],
  ['a key that is not there', ['--scope', 'api_key=svc_k_aaaaaaaaaaaaaaaa'], /There is no key/],
  ['a provider that is not there', ['--scope', 'provider=opnai'], /Did you mean openai\?/],
  ['a dimension without a value', ['--scope', 'dim:team='], /value is empty/],
  [
    'thresholds of 0 percent',
    ['--at', '0,50'],
    /--at must be at most 20 whole numbers from 1 to 1000, unlike "0,50"/,
  ],
  ['thresholds with halves', ['--at', '99.5'], /whole numbers from 1 to 1000/],
  ['thresholds beyond 1000', ['--at', '1001'], /from 1 to 1000/],
  ['no thresholds', ['--at='], /--at must be/],
  ['21 thresholds', ['--at', Array.from({ length: 21 }, (_, n) => n + 1).join()], /at most 20/],
  ['the metadata address', ['--webhook', 'http://169.254.169.254/'], /169\.254\.169\.254/],
  ['a loopback name', ['--slack', 'http://localhost:1'], /alerts\.allowPrivateTargets: true/],
  ['a webhook that is no address', ['--webhook', 'example.com'], /http:\/\/ or https:\/\//],
  ['21 targets', many('--email', 21, (n) => `a${n}@b.example`), /21 targets were given/],
  ['an e-mail with a name', ['--email', 'A <a@b.c>'], /a single address/],
]

/** Understood, and refused for what is stored, configured or looked up. */
const AS_THINGS_ARE: ReadonlySet<string> = new Set([
  'a key that is not there',
  'a provider that is not there',
  'the metadata address',
  'a loopback name',
])

test('what could not be watched is refused, and nothing is written', async (context) => {
  const { weir, json } = createCommandLine(context)
  for (const [name, words, message] of REFUSED) {
    const given = new Set(words.map((word) => word.split('=', 1)[0]))
    const others = [['--name', 'x'], ...pairs(GLOBAL)].filter(([flag = '']) => !given.has(flag))
    const { code, err } = await weir('budgets', 'create', ...others.flat(), ...words)
    assert.equal(code, AS_THINGS_ARE.has(name) ? 1 : 2, `${name}\n${err}`)
    assert.match(
      err,
      /^weir budgets create failed \((?:invalid_argument|not_found)\)\n.+\n.+$/,
      name,
    )
    assert.match(err, message, name)
  }
  assert.deepEqual(await json('budgets', 'list'), { budgets: [] })
})

function pairs(words: readonly string[]): string[][] {
  return words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] as string]] : []))
}

test('a key with a slip in its id is suggested', async (context) => {
  const { weir, json } = createCommandLine(context)
  const { id } = await json<{ id: string }>('keys', 'create', '--name', 'search')
  const slip = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
  const words = ['--name', 'x', '--limit-usd', '1', '--period', 'day', '--scope']
  const wrong = await weir('budgets', 'create', ...words, `api_key=${slip}`)
  assert.ok(wrong.err.includes(`Did you mean ${id}?`), wrong.err)
  const right = await json<BudgetRow>('budgets', 'create', ...words, `api_key=${id}`)
  assert.equal(right.scope, `api_key=${id}`)
})

test('a private target is taken where the configuration allows it', async (context) => {
  const { json, dataDir } = createCommandLine(context)
  const config = `dataDir: ${JSON.stringify(dataDir)}\nalerts:\n  allowPrivateTargets: true\n`
  writeFileSync(`${dataDir}.yaml`, config)
  const words = ['budgets', 'create', '--name', 'x', ...GLOBAL, '--webhook', 'http://localhost:1/']
  assert.equal((await json<BudgetRow>(...words)).targets.length, 1)
})
