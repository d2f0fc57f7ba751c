import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { memberSchema, teamSchema } from '../../api/contract.ts'
import type { MemberRow, TeamAnswer } from '../../api/contract.ts'

const CREATE = ['teams', 'create', '--name', 'Search', '--slug', 'search']

async function invite({ json }: CommandLine, email: string): Promise<void> {
  await json('users', 'create', '--email', email, '--role', 'none')
}

test('a team is made, listed, changed, archived and restored, by slug or id', async (context) => {
  const { weir, json } = createCommandLine(context, { hasData: false })
  const words = ['--allow-model', 'openai/*', '--key-days', '90', '--members-see-totals']
  const made = teamSchema.parse(await json<TeamAnswer>(...CREATE, ...words))
  assert.deepEqual(made.allowed_models, ['openai/*'])
  assert.deepEqual([made.key_days_max, made.members_see_totals], [90, true])
  const listed = (await weir('teams', 'list')).out
  assert.match(listed, /^ID +NAME +SLUG +STATUS +LEADS +MEMBERS +KEYS +LIMITS OF A KEY$/m)
  assert.match(listed, /search +active +0 +0 +0 +models openai\/\*; 90 days$/m)
  const clear = ['--clear', 'key-days', '--clear', 'members-see-totals']
  const changed = await json<TeamAnswer>('teams', 'update', 'search', '--rpm', '60', ...clear)
  assert.deepEqual([changed.rate_limit_rpm, changed.key_days_max], [60, null])
  assert.equal(changed.members_see_totals, false)
  assert.match((await weir('teams', 'archive', made.id)).out, /is archived; its keys go on/)
  assert.match((await weir('teams', 'list', '--status', 'active')).out, /No team is active/)
  const back = await json<TeamAnswer>('teams', 'restore', 'search')
  assert.deepEqual(await json('teams', 'show', 'search'), back)
})

test('a department is a column where one has it', async (context) => {
  const { weir, json } = createCommandLine(context)
  assert.match((await weir('teams', 'list')).out, /no teams yet/)
  await json('teams', 'create', '--name', 'Engineering', '--slug', 'engineering')
  await json(...CREATE, '--parent', 'engineering')
  const { out } = await weir('teams', 'list')
  assert.match(out, /^ID +NAME +SLUG +DEPARTMENT +STATUS/m)
  assert.match(out, /Search +search +Engineering +active/)
})

test('people are added, listed with their role, and removed', async (context) => {
  const line = createCommandLine(context)
  const { weir, json } = line
  await json(...CREATE)
  await invite(line, 'ada@example.com')
  await invite(line, 'grace@example.com')
  const added = await json<MemberRow>('teams', 'add', 'search', 'grace@example.com')
  assert.equal(memberSchema.parse(added).role, 'member')
  const { out } = await weir('teams', 'add', 'search', 'ada@example.com', '--lead')
  assert.equal(out, 'ada@example.com leads the team search.')
  const { members } = await json<{ members: MemberRow[] }>('teams', 'members', 'search')
  assert.deepEqual(
    members.map(({ email, role }) => [email, role]),
    [
      ['ada@example.com', 'lead'],
      ['grace@example.com', 'member'],
    ],
  )
  const table = (await weir('teams', 'members', 'search')).out
  assert.match(table, /^ID +EMAIL +NAME +ROLE +BY +SINCE +KEYS$/m)
  const left = await weir('teams', 'remove', 'search', added.user_id)
  assert.match(left.out, /^grace@example.com is no longer in the team search/)
})

test('a key of a team has its limits, and the list has the team', async (context) => {
  const line = createCommandLine(context)
  const { weir, json } = line
  await json(...CREATE, '--rpm', '60')
  await invite(line, 'ada@example.com')
  await json('teams', 'add', 'search', 'ada@example.com')
  const create = ['keys', 'create', '--name', 'laptop', '--team', 'search']
  const made = await json<{ rate_limit_rpm: number }>(...create, '--personal', 'ada@example.com')
  assert.equal(made.rate_limit_rpm, 60)
  await json('keys', 'create', '--name', 'other')
  const all = (await weir('keys', 'list')).out
  assert.match(all, /^ID +NAME +TEAM +PERSON +STATUS/m)
  assert.match(all, /laptop +Search +ada@example\.com +active/)
  const { keys } = await json<{ keys: { name: string }[] }>('keys', 'list', '--team', 'search')
  assert.deepEqual(
    keys.map(({ name }) => name),
    ['laptop'],
  )
  const beyond = await weir(...create, '--rpm', '61')
  assert.equal(beyond.code, 1)
  assert.match(beyond.err, /--rpm: The team Search allows 60 calls a minute at most\./)
  assert.match((await weir('teams', 'update', 'search', '--rpm', '10')).err, /1 key may do more/)
  const token = ['tokens', 'create', '--name', 'x', '--scope', 'read:usage', '--team', 'search']
  assert.match((await weir(...token)).out, /with read:usage, for the team Search alone\./)
  assert.match((await weir('tokens', 'list')).out, /^ID +NAME +TEAM +STATUS/m)
})

test('a key whose owner is disabled is shown as looked after by the leads', async (context) => {
  const line = createCommandLine(context)
  const { weir, json } = line
  await json(...CREATE)
  for (const email of ['ada@example.com', 'lee@example.com']) await invite(line, email)
  await json('teams', 'add', 'search', 'lee@example.com', '--lead')
  await json('keys', 'create', '--name', 'x', '--team', 'search', '--owner', 'ada@example.com')
  assert.doesNotMatch((await weir('keys', 'list')).out, /LOOKED AFTER/)
  await json('users', 'update', 'ada@example.com', '--disable')
  const { out } = await weir('keys', 'list')
  assert.match(out, /^ID +NAME +TEAM +OWNER +LOOKED AFTER BY +STATUS/m)
  assert.match(out, /Search +ada@example\.com +lee@example\.com +active/)
})

test('what is wrong is named by its option, and nothing is written', async (context) => {
  const line = createCommandLine(context)
  const { weir, json } = line
  await json(...CREATE)
  for (const [words, code, message] of [
    [['teams', 'create', '--name', 'x', '--slug', 'A b'], 2, /--slug must have 1 to 63/],
    [CREATE, 1, /There is a team search already/],
    [['teams', 'update', 'search'], 2, /No change was given/],
    [['teams', 'update', 'search', '--parent', 'no'], 1, /--parent is of no team/],
    [['teams', 'show', 'serch'], 1, /There is no team serch/],
    [['teams', 'list', '--status', 'archvied'], 2, /Did you mean archived/],
    [['teams', 'add', 'search', 'no@example.com'], 1, /EMAIL is of no user/],
    [['keys', 'create', '--name', 'x', '--team', 'no'], 1, /--team is of no team/],
    [['keys', 'list', '--team', 'no'], 2, /--team is of no team/],
  ] as const) {
    const result = await weir(...words)
    assert.match(result.err, message)
    assert.equal(result.code, code, words.join(' '))
  }
})

test('each key of a team is given a budget, which is changed and taken away', async (context) => {
  const { weir, json } = createCommandLine(context)
  const made = await json<TeamAnswer>(...CREATE, '--key-budget-usd', '50', '--key-budget-block')
  assert.deepEqual([made.key_budget?.limit_usd, made.key_budget?.blocking], [50, true])
  const words = ['--rpm', '60', '--key-budget-usd', '20', '--key-budget-period', 'week']
  const { out } = await weir('teams', 'update', 'search', ...words)
  assert.match(
    out,
    /^Each of its keys may spend 20(?:\.00)? USD a week, then its calls are refused/m,
  )
  const missing = await weir('teams', 'update', 'search', '--key-budget-period', 'day')
  assert.match(missing.err, /--key-budget-usd is missing/)
  assert.match((await weir('budgets', 'near')).out, /^Nobody has spent anything of a limit/)
  const freed = await json<TeamAnswer>('teams', 'update', 'search', '--no-key-budget')
  assert.deepEqual([freed.key_budget, freed.rate_limit_rpm], [null, 60])
})
