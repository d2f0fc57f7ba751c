// A company that tagged its keys moves in: teams out of a dimension, by the command alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaults } from '../../../test/contracts/usage-scene.ts'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { sampleCall, storeCalls, withUsage } from '../../../test/fakes/stored-calls.ts'
import { teamAdoptionSchema } from '../../api/contract.ts'
import type { KeyAnswer, TeamAdoptionAnswer } from '../../api/contract.ts'
import { TEAM_FACT } from '../../core/teams/team.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { createPriceTables } from '../../pricing/tables/price-tables.ts'

const DAY_MS = 86_400_000
const ADOPT = ['teams', 'adopt', '--dim', 'team']
/** 0.002 USD for each call of the samples. */
const PRICES = createPriceTables({
  rules: [
    {
      id: 'price_0',
      provider: 'acme',
      model: 'big',
      tier: null,
      note: null,
      effectiveFrom: 0,
      createdAt: 0,
      price: { kind: 'rates', rates: { input: '1', output: '2' } },
    },
  ],
  tables: [],
})

async function makeKey({ json }: CommandLine, name: string, ...words: string[]): Promise<string> {
  return (await json<KeyAnswer>('keys', 'create', '--name', name, ...words)).id
}

/** Each some days ago. */
function store(line: CommandLine, calls: readonly (Partial<UsageEvent> & { days: number })[]) {
  const events = calls.map(({ days, ...event }) => {
    const endedAt = line.clock.nowMs - days * DAY_MS
    return sampleCall({ provider: 'acme', model: 'big', ...event, endedAt })
  })
  return storeCalls(line.dataDir, events, PRICES)
}

async function adopt({ json }: CommandLine, ...words: string[]): Promise<TeamAdoptionAnswer> {
  return teamAdoptionSchema.parse(await json(...ADOPT, ...words))
}

interface Shop {
  readonly ada: string
  readonly bots: string
  readonly ads: string
  readonly other: string
}

/** Four keys, of which three have a locked team, and calls of three months. */
async function openShop(line: CommandLine): Promise<Shop> {
  const ada = await makeKey(line, 'Ada', '--lock-dim', 'team=Search EU')
  const bots = await makeKey(line, 'Bots', '--lock-dim', 'team=search-eu', '--lock-dim', 'app=bot')
  const ads = await makeKey(line, 'Ads', '--lock-dim', 'team=ads')
  const other = await makeKey(line, 'Other', '--dim', 'team=ads')
  await store(line, [
    { keyId: ada, days: 1, dims: { team: 'Search EU' } },
    { keyId: ada, days: 40, dims: {} },
    { keyId: bots, days: 2, dims: { team: 'search-eu', app: 'bot' } },
    {
      keyId: bots,
      days: 2,
      dims: { team: 'search-eu' },
      status: 'denied',
      usage: 'none',
      tokens: null,
    },
    { keyId: ads, days: 70, dims: { team: 'ads' } },
    { keyId: other, days: 3, dims: { team: 'ads' } },
    { keyId: null, days: 3, dims: { team: 'batch' } },
  ])
  return { ada, bots, ads, other }
}

async function readTeams(dataDir: string) {
  return withUsage(dataDir, async ({ usage }) => {
    const period = { grain: 'month', from: '2025-01', to: '2026-12' } as const
    const ask = { period, keyId: null } as const
    const sums = await usage.sum({ ...ask, grouping: { by: 'dim', dimKey: TEAM_FACT } })
    const [total] = await usage.sum({ ...ask, grouping: { by: 'total' } })
    const byTeam = new Map(sums.map(({ label, cost, requests }) => [label, { cost, requests }]))
    return { byTeam, total: { cost: total?.cost, requests: total?.requests } }
  })
}

test('a dry run says what would be done, and the run does that and no more', async (context) => {
  const line = createCommandLine(context)
  const keys = await openShop(line)
  const before = await readTeams(line.dataDir)
  const trial = await adopt(line, '--dry-run')
  assert.equal(trial.dry_run, true)
  assert.deepEqual(
    trial.teams.map(({ slug, name, values, state, calls, cost_usd: cost }) => {
      return [slug, name, values, state, calls, cost]
    }),
    [
      ['ads', 'ads', ['ads'], 'new', 1, '0.002'],
      ['search-eu', 'Search EU', ['Search EU', 'search-eu'], 'new', 4, '0.006'],
    ],
  )
  assert.deepEqual(
    new Map(trial.keys.map(({ id, state, slug }) => [id, `${state} ${slug}`])),
    new Map([
      [keys.ads, 'moved ads'],
      [keys.other, 'left ads'],
      [keys.ada, 'moved search-eu'],
      [keys.bots, 'moved search-eu'],
    ]),
  )
  assert.deepEqual(trial.months, [
    { month: '2025-11', calls: 1, cost_usd: '0.002' },
    { month: '2025-12', calls: 1, cost_usd: '0.002' },
    { month: '2026-01', calls: 3, cost_usd: '0.004' },
  ])
  assert.deepEqual([trial.calls, trial.cost_usd, trial.gone], [5, '0.008', []])
  assert.deepEqual(trial.no_key, [{ value: 'batch', calls: 1, cost_usd: '0.002' }])
  assert.match((await line.weir('teams', 'list')).out, /no teams yet/)
  assert.deepEqual(await readTeams(line.dataDir), before)

  const done = await adopt(line)
  const ids = new Map(done.teams.map(({ slug, team_id: id }) => [slug, id]))
  assert.deepEqual(
    { ...done, dry_run: true, teams: done.teams.map((team) => ({ ...team, team_id: null })) },
    trial,
  )
  const after = await readTeams(line.dataDir)
  assert.deepEqual(after.total, before.total)
  assert.deepEqual(
    after.byTeam,
    new Map([
      [ids.get('ads'), { cost: 2_000_000_000n, requests: 1 }],
      [ids.get('search-eu'), { cost: 6_000_000_000n, requests: 3 }],
    ]),
  )
  await withUsage(line.dataDir, async (usage) => assert.deepEqual(await findFaults(usage), []))
  assert.match(
    (await line.weir('keys', 'list', '--team', 'search-eu')).out,
    /(?:Ada|Bots) +Search EU[^]*(?:Ada|Bots) +Search EU/,
  )
  const audit = (await line.weir('audit')).out
  assert.match(audit, /team\.adopt/)
})

test('run again, it changes nothing but what is left', async (context) => {
  const line = createCommandLine(context)
  const { ada } = await openShop(line)
  const { teams } = await adopt(line)
  const { out: audit } = await line.weir('audit')
  const before = await readTeams(line.dataDir)
  const again = await adopt(line)
  assert.deepEqual(
    again.teams.map(({ state, team_id: id, calls }) => [state, id, calls]),
    teams.map(({ team_id: id }) => ['known', id, 0]),
  )
  assert.deepEqual(new Set(again.keys.map(({ state }) => state)), new Set(['there', 'left']))
  assert.deepEqual([again.calls, again.gone], [0, []])
  assert.deepEqual(await readTeams(line.dataDir), before)
  assert.equal((await line.weir('audit')).out, audit)
  assert.match((await line.weir(...ADOPT)).out, /There is nothing to do\.$/)
  // One that was running then.
  await store(line, [{ keyId: ada, days: 0, dims: { team: 'Search EU' } }])
  const text = (await line.weir(...ADOPT)).out
  assert.match(text, /Done: 0 new teams, 0 keys moved, 1 past call \(0\.002 USD\) booked\./)
  assert.match(text, /Add people: weir teams add ads EMAIL --lead$/)
  await withUsage(line.dataDir, async (usage) => assert.deepEqual(await findFaults(usage), []))
})

test('keys of teams, teams that end and limits are respected, and named', async (context) => {
  const line = createCommandLine(context)
  const { json } = line
  await json('teams', 'create', '--name', 'Ads', '--slug', 'ads', '--rpm', '5')
  await json('teams', 'create', '--name', 'Old', '--slug', 'old')
  await json('teams', 'archive', 'old')
  const lock = (value: string): string[] => ['--lock-dim', `team=${value}`]
  await makeKey(line, 'fast', ...lock('ads'), '--rpm', '9')
  await makeKey(line, 'slow', ...lock('ads'), '--rpm', '3')
  await makeKey(line, 'theirs', ...lock('search'), '--team', 'ads', '--rpm', '3')
  await makeKey(line, 'late', ...lock('old'))
  await makeKey(line, 'odd', ...lock('日本'))
  const gone = await makeKey(line, 'gone', ...lock('ads'))
  await json('keys', 'revoke', gone)
  await store(line, [{ keyId: gone, days: 5, dims: { team: 'ads' } }])
  const answer = await adopt(line)
  assert.deepEqual(
    new Map(answer.keys.map(({ name, state, why }) => [name, [state, why]])),
    new Map<string, unknown>([
      ['odd', ['left', 'no short name can be made of it: make a team by hand']],
      ['fast', ['left', 'The team Ads allows 5 calls a minute at most.']],
      ['gone', ['moved', null]],
      ['slow', ['moved', null]],
      ['late', ['left', 'the team Old is archived: restore it first']],
      ['theirs', ['left', 'it is in the team Ads']],
    ]),
  )
  assert.deepEqual(
    answer.teams.map(({ slug, state, why, calls }) => [slug, state, why, calls]),
    [
      ['', 'left', 'no short name can be made of it: make a team by hand', 0],
      ['ads', 'known', null, 1],
      ['old', 'left', 'the team Old is archived: restore it first', 0],
      ['search', 'left', 'no key comes to it', 0],
    ],
  )
  const { out } = await line.weir(...ADOPT)
  assert.match(out, /fast +ads +left alone: The team Ads allows 5 calls a minute at most\./)
  assert.match(out, /^- +日本 +日本 +0 +0 +left: no short name/m)
})

test('months whose calls are gone keep their sums, and are named', async (context) => {
  const line = createCommandLine(context)
  await openShop(line)
  const cut = Date.parse('2025-12-23T00:00:00Z')
  await withUsage(line.dataDir, ({ usage }) => usage.upkeep.removeRecords(cut, 100))
  const trial = await adopt(line, '--dry-run')
  assert.deepEqual(trial.gone, [
    { month: '2025-11', calls: 1, cost_usd: '0.002' },
    { month: '2025-12', calls: 1, cost_usd: '0.002' },
  ])
  assert.deepEqual(trial.months, [{ month: '2026-01', calls: 3, cost_usd: '0.004' }])
  const done = await adopt(line)
  assert.deepEqual([done.gone, done.months], [trial.gone, trial.months])
  assert.match((await line.weir(...ADOPT)).out, /No longer kept[^]*2025-11 +1 +0\.002/)
})

test('what is no dimension, or nobody has, is refused with what to do', async (context) => {
  const line = createCommandLine(context)
  const refused = async (dim: string) => {
    const { code, err } = await line.weir('teams', 'adopt', '--dim', dim)
    return `${code} ${err}`
  }
  assert.match(await refused(''), /^2 .*--dim must be the name of a dimension/s)
  assert.match(await refused('@team'), /^2 .*--dim must be the name of a dimension/s)
  assert.match(await refused('team'), /^1 .*No key has the dimension team.*Lock it in keys first/s)
  await makeKey(line, 'one', '--lock-dim', 'team=ads')
  assert.match(await refused('teem'), /^1 .*Did you mean team\?/s)
  await store(line, [{ keyId: null, days: 1, dims: { squad: 'a' } }])
  const { code, out } = await line.weir('teams', 'adopt', '--dim', 'squad')
  assert.equal(code, 0)
  assert.match(
    out,
    /they make no team:\nVALUE +CALLS +COST USD\na +1 +0\.002\n\nThere is nothing to do\. A key/,
  )
  const { code: missing, err } = await line.weir('teams', 'adopt')
  assert.deepEqual([missing, /--dim/.test(err)], [2, true])
})
