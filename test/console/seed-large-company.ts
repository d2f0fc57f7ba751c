// A large company for the look of the console: 3,000 keys and 400 teams, most with names longer
// than any column, and a month of calls. Rows are written directly, without a proxy.

import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { TEAM_FACT } from '../../src/core/teams/team.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../src/resources/codecs.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

const KEYS = 3000
const TEAMS = 400
/** Stored at once. */
const BATCH_CALLS = 4000
const DAYS = 40
const DAY_MS = 86_400_000
const LARGEST_COST = 40_000n * 10n ** 10n
/** Amounts have at most eight decimals, as most that are priced by a list. */
const STEP = 10_000n
/** More than a page of their list. */
const MADE_TEAMS = 60
const STATUSES = ['delivered', 'delivered', 'aborted', 'refused'] as const
/** A model of a provider behind a gateway, with its date, as they are in the wild. */
const MODELS = [
  'gpt-5.4-mini',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'accounts/fireworks/models/llama-v4-maverick-instruct-basic-preview',
  'text-embedding-3-small',
] as const

export async function seedLargeCompany(dataDir: string, calls = BATCH_CALLS): Promise<Company> {
  const company = await seedCompany(dataDir)
  const { keyIds, teamId } = await createKeys(dataDir)
  const ledger = await openLedgerStore({ dataDir, clock: systemClock })
  const nowMs = systemClock.now()
  for (let first = 0; first < calls; first += BATCH_CALLS) {
    const length = Math.min(BATCH_CALLS, calls - first)
    const records = Array.from({ length }, (_, place) =>
      toRecord(first + place, { nowMs, keyIds, teamId }),
    )
    await ledger.writeBatch(batchOf(...records))
  }
  await ledger.close()
  return { ...company, keyId: keyIds[1] ?? '', teamId }
}

async function createKeys(dataDir: string) {
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  const teamIds = await createTeams(settings)
  const ids: string[] = []
  for (let number = 0; number < KEYS; number += 1) {
    const { key } = await settings.keys.create({
      ...OPEN_KEY,
      name: number % 3 === 0 ? `key ${number}` : `${toTeam(number)} production service ${number}`,
      owner: number % 2 === 0 ? null : `platform-engineering+${number}@subsidiary.example.com`,
      note: number % 5 === 0 ? 'Asked for by the quarterly planning group; see the ticket.' : null,
      allowedModels:
        number % 4 === 1 ? MODELS.map((model) => `openai/${model}`) : OPEN_KEY.allowedModels,
      teamId: teamIds[number % teamIds.length] ?? null,
      defaultDims: { team: toTeam(number) },
    })
    ids.push(key.id)
    if (number % 10 === 0) await settings.budgets.create(toOwnBudget(key))
  }
  await settings.budgets.create(
    {
      name: `${toTeam(1)}: what it may spend on experiments in a month`,
      scope: { kind: 'dim', key: 'team', value: toTeam(1) },
      period: 'month',
      limit: 10n ** 15n,
      thresholds: [50, 80, 100],
      each: 'none',
      isTargetsOnly: false,
      isBlocking: true,
    },
    [],
  )
  await settings.budgets.create(toTeamBudget(teamIds[0] ?? ''))
  await settings.close()
  return { keyIds: ids, teamId: teamIds[0] ?? '' }
}

/** Each of a department, with people in the first one. */
async function createTeams({ teams, users }: SettingsStore): Promise<readonly string[]> {
  const make = (body: Parameters<typeof TEAM_CODEC.fromNew>[0]) =>
    teams.create(TEAM_CODEC.fromNew(body))
  const name = 'Marketplaces, logistics and fulfilment of the European subsidiaries'
  const { id: parentId } = await make({ name, slug: 'marketplaces' })
  const ids: string[] = []
  for (let number = 1; number <= MADE_TEAMS; number += 1) {
    const { id } = await make({
      name: toTeam(number),
      slug: toTeam(number),
      parent_id: parentId,
      cost_center: `CC-47110815-${number}`,
      note: 'Moved here by the quarterly planning group; see the ticket.',
      allowed_models: MODELS.map((model) => `openai/${model}`),
      rate_limit_rpm: 600,
    })
    ids.push(id)
  }
  for (const user of await users.list()) {
    await teams.join({ teamId: ids[0] ?? '', userId: user.id, role: 'lead', source: 'hand' })
  }
  return ids
}

function toTeamBudget(teamId: string) {
  const scope = { kind: 'dim', key: TEAM_FACT, value: teamId } as const
  return { ...toOwnBudget({ id: '', name: toTeam(1) }), scope }
}

/** As the dialog for a new key makes it. */
function toOwnBudget({ id, name }: { readonly id: string; readonly name: string }) {
  return {
    name,
    scope: { kind: 'api_key', keyId: id },
    period: 'month',
    limit: 50n * 10n ** 12n,
    thresholds: [80, 100],
    each: 'none',
    isTargetsOnly: false,
    isBlocking: true,
  } as const
}

function toTeam(number: number): string {
  const place = number % TEAMS
  return place % 4 === 0 ? `team-${place}` : `customer-experience-and-personalisation-${place}`
}

interface Made {
  readonly nowMs: number
  readonly keyIds: readonly string[]
  readonly teamId: string
}

function toRecord(index: number, { nowMs, keyIds, teamId }: Made): UsageRecord {
  const endedAt = nowMs - (index % DAYS) * DAY_MS - index * 100
  const startedAt = endedAt - 100 - ((index * 7919) % 90_000)
  const number = index % KEYS
  return createRecord(
    {
      id: createRequestId(startedAt),
      keyId: keyIds[number] ?? null,
      provider: index % 2 === 0 ? 'openai' : 'gateway',
      operation: 'openai-chat',
      model: MODELS[index % MODELS.length] ?? null,
      requestedModel: MODELS[index % MODELS.length] ?? null,
      dims: {
        team: toTeam(number),
        app: `checkout-recommendations-${index % 900}`,
        environment: 'production-eu-central',
        [TEAM_FACT]: teamId,
      },
      startedAt,
      endedAt,
      status: STATUSES[index % STATUSES.length] ?? 'delivered',
      httpStatus: 200,
      tokens: createTokenCounts({ input: 1000 + index * 31, output: 100 + index }),
    },
    { amount: (LARGEST_COST / BigInt(1 + index * index) / STEP) * STEP, priceVersion: null },
  )
}
