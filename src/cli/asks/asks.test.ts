import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import { systemClock } from '../../core/clock.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../resources/codecs.ts'
import { openSettingsStore } from '../../store/open-store.ts'

const USD = 10n ** 12n

test('asks are listed, approved with another limit, and declined with a note', async (context) => {
  const { dataDir, weir, json } = createCommandLine(context)
  assert.equal((await weir('asks', 'list')).out, 'Nobody asks for more.')
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const email = 'max@example.com'
  const person = { email, name: 'Max', role: 'none', passwordHash: null, subject: null } as const
  const { id: personId } = await settings.users.create(person)
  const team = await settings.teams.create(TEAM_CODEC.fromNew({ name: 'Search', slug: 'search' }))
  const { key } = await settings.keys.create(
    { ...OPEN_KEY, name: 'laptop', teamId: team.id, personId },
    { name: 'laptop', period: 'month', limit: 5n * USD, thresholds: [], ...PLAIN },
  )
  const [budget] = await settings.budgets.list()
  const own = { teamId: team.id, personId, email, keyId: key.id }
  const more = { ...own, kind: 'budget', budgetId: budget?.id ?? '', amount: 50n * USD } as const
  const toAlert = ({ id, createdAt: at }: { id: string; createdAt: number }) => {
    return { id, kind: 'alert.test', budgetId: null, at, body: '{}' } as const
  }
  const ask = await settings.asks.create({ ...more, note: 'evaluations' }, toAlert)
  const words = { ...own, kind: 'limit', budgetId: null, amount: null, note: 'gpt-5' } as const
  const other = await settings.asks.create(words, ({ id, ...rest }) =>
    toAlert({ id: `${id}2`, ...rest }),
  )
  await settings.close()
  const { out } = await weir('asks', 'list', '--team', 'search', '--status', 'open')
  assert.match(
    out,
    /max@example\.com +Search +laptop +laptop +5(?:\.00)? +50(?:\.00)? +open .*evaluations/,
  )
  const approved = await weir('asks', 'approve', ask.id, '--limit-usd', '20')
  assert.match(approved.out, /is approved\. The limit is 20(?:\.00)? USD now\./)
  const declined = await json<{ status: string; answer: string }>(
    'asks',
    'decline',
    other.id,
    '--note',
    'Next month.',
  )
  assert.deepEqual([declined.status, declined.answer], ['declined', 'Next month.'])
  const { budgets } = await json<{ budgets: { limit_usd: number }[] }>('budgets', 'list')
  assert.equal(budgets[0]?.limit_usd, 20)
  assert.match((await weir('asks', 'approve', 'ask_nosuch')).err, /There is no ask/)
})

const PLAIN = { each: 'none', isBlocking: true, isTargetsOnly: false } as const
