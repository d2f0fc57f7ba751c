// The budgets of the demo's company: one of a team that has just raised an alert, one that would
// have stopped the runaway job, and a rule for each key of a team that has room for all of them.

import type { BudgetScope } from '../src/core/budget.ts'
import { parseMoney } from '../src/core/money.ts'
import type { Money } from '../src/core/money.ts'
import { TEAM_FACT } from '../src/core/teams/team.ts'
import { toUserActor } from '../src/core/user.ts'
import type { SettingsStore, UsageStore } from '../src/store/open-store.ts'
import type { KeyHandle } from './company.ts'
import { DAY_MS } from './draw-day.ts'
import type { SettingsPlace } from './fill-settings.ts'
import { ADMIN, LEAD } from './people.ts'
import type { DemoLogin, TeamHandle } from './people.ts'

/** The team's budget at first: beyond its threshold of 80 %. */
const TEAM_USED = 0.86
const JOB_LIMIT_USD = '40'
/** The limit of each key: so many times of what the largest one spent last month. */
const EACH_TIMES = 2.5
const LEAD_KEYS: readonly KeyHandle[] = ['support', 'mail']

export interface BudgetPlace extends SettingsPlace {
  readonly usage: Pick<UsageStore, 'sum'>
  readonly keyIds: Readonly<Record<KeyHandle, string>>
  readonly nowMs: number
  /** Where alerts are sent. */
  readonly hookUrl: string
}

export async function fillBudgets(place: BudgetPlace): Promise<void> {
  const { settings, clock, keyIds, nowMs, hookUrl } = place
  const platform = await scopeOf(settings, 'platform')
  const support = await scopeOf(settings, 'support')
  // An older demo was ended before it came here.
  if (platform === null || support === null) return
  const admin = await actAs(settings, ADMIN)
  const common = { thresholds: [50, 80, 100], each: 'none', isTargetsOnly: false } as const
  const targets = [{ kind: 'webhook', address: hookUrl }] as const
  clock.place(nowMs - 20 * DAY_MS)
  await admin.targets.createAll(targets, null)
  await admin.budgets.create(
    {
      ...common,
      name: 'Platform team',
      scope: platform,
      period: 'month',
      limit: toRoundLimit(Number(await spentBy(place, platform.value)) / TEAM_USED),
      isBlocking: false,
    },
    targets,
  )
  clock.place(nowMs - 18 * DAY_MS)
  await admin.budgets.create(
    {
      ...common,
      name: 'Nightly enrichment, daily',
      scope: { kind: 'api_key', keyId: keyIds.enrichment },
      period: 'day',
      limit: parseMoney(JOB_LIMIT_USD) as bigint,
      isBlocking: true,
    },
    targets,
  )
  clock.place(nowMs - 16 * DAY_MS)
  const lead = await actAs(settings, LEAD)
  await lead.budgets.create(
    {
      ...common,
      name: 'Each key of Support',
      scope: support,
      each: 'key',
      period: 'month',
      limit: toRoundLimit(Number(await largestOfLastMonth(place)) * EACH_TIMES),
      isBlocking: true,
    },
    targets,
  )
}

type DimScope = Extract<BudgetScope, { kind: 'dim' }>

async function scopeOf(settings: SettingsStore, slug: TeamHandle): Promise<DimScope | null> {
  const team = await settings.teams.find({ slug })
  return team && { kind: 'dim', key: TEAM_FACT, value: team.id }
}

async function actAs(settings: SettingsStore, { email }: DemoLogin): Promise<SettingsStore> {
  const user = await settings.users.find({ email })
  return settings.as(user === null ? { kind: 'user', id: null, name: email } : toUserActor(user))
}

/** This month. */
async function spentBy({ usage, nowMs }: BudgetPlace, teamId: string): Promise<Money> {
  const month = toMonth(nowMs)
  const teams = await usage.sum({
    period: { grain: 'month', from: month, to: month },
    grouping: { by: 'dim', dimKey: TEAM_FACT },
    keyId: null,
  })
  return teams.find(({ label }) => label === teamId)?.cost ?? 0n
}

/** The month before has all of its days, whatever today is. */
async function largestOfLastMonth({ usage, keyIds, nowMs }: BudgetPlace): Promise<Money> {
  const now = new Date(nowMs)
  const month = toMonth(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
  const keys = await usage.sum({
    period: { grain: 'month', from: month, to: month },
    grouping: { by: 'api_key' },
    keyId: null,
  })
  const ids = new Set(LEAD_KEYS.map((handle) => keyIds[handle]))
  const spent = keys.filter(({ label }) => ids.has(label ?? '')).map(({ cost }) => cost)
  return spent.reduce((most, cost) => (cost > most ? cost : most), 0n)
}

function toMonth(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

const PICO = 1e12

/** Two digits, as people choose limits; a dollar at least. */
function toRoundLimit(amount: number): Money {
  return parseMoney(Number(Math.max(1, amount / PICO).toPrecision(2))) as bigint
}
