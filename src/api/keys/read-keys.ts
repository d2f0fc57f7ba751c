// Pages of keys with their spend. Must stay true: the spend is of the moment of what one key spent,
// and what GET /v1/usage would answer at it.

import type { z } from 'zod'
import type { ApiKey } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { ApiServices } from '../api-options.ts'
import { KEYS_LIMIT_DEFAULT } from './key-contract.ts'
import type { KEY_ORDERS, KeyPage, KeyRow, keyParametersSchema } from '../contract.ts'
import type { KnownKeys, ListedKey } from './key-directory.ts'
import { toIsoOrNull } from '../iso-time.ts'
import { listLimitWarnings } from './key-owners.ts'
import { readKeyPeople } from './key-people.ts'
import { toKeyAnswer } from './key-row.ts'
import { readKeyStates } from './key-state.ts'
import type { KeyStates } from './key-state.ts'
import { requireTeam, requireUser } from '../teams/named-things.ts'
import type { KnownTeams } from '../teams/team-directory.ts'
import { readCurrent } from '../usage/current-figures.ts'
import type { UsageQuery } from '../usage/parse-usage-query.ts'
import { toStoreQuestion, toUsageRows } from '../usage/usage-query.ts'

type KeyPageQuestion = z.output<typeof keyParametersSchema>

type KeySources = Pick<
  ApiServices,
  'keyDirectory' | 'teamDirectory' | 'clock' | 'settings' | 'ledgerProgress' | 'slugOf'
> & {
  readonly caller: Caller
  readonly usage: Pick<UsageStore, 'readKeyUses' | 'sum'>
  readonly usageSnapshots: Pick<ApiServices['usageSnapshots'], 'readKept'>
}

const SPENT: UsageQuery = {
  metric: 'cost_usd',
  window: 'month_to_date',
  dimension: 'api_key',
  dimKey: null,
  month: null,
  months: null,
  limit: Number.MAX_SAFE_INTEGER,
  keyId: null,
}

export async function readKeyPage(
  question: KeyPageQuestion,
  sources: KeySources,
): Promise<KeyPage> {
  const { order = 'spent', limit = KEYS_LIMIT_DEFAULT } = question
  const spent = await readSpent(sources)
  const known = await sources.keyDirectory.read()
  const teams = await sources.teamDirectory.read()
  const { statusOf, stateOf } = await readKeyStates(sources, sources.caller)
  const nowMs = sources.clock.now()
  const fits = createFilter(question, await readOwners(question, teams, sources), statusOf)
  const all = inOrder(known, order, spent).filter(fits)
  const from = Number(question.cursor ?? 0)
  const to = from + limit
  const shown = all.slice(from, to).map(({ key }) => key)
  const uses = await sources.usage.readKeyUses(shown.map(({ id }) => id))
  const peopleOf = await readKeyPeople(shown, teams, sources.settings)
  const facts = { spent, uses, teams, peopleOf, stateOf, nowMs }
  return {
    rows: shown.map((key) => toKeyRow(key, facts)),
    total: all.length,
    spent_as_of: spent.asOf,
    next_cursor: to < all.length ? String(to) : null,
  }
}

/** Null when there is no such key. */
export async function readKeyRow(id: string, sources: KeySources): Promise<KeyRow | null> {
  const listed = (await sources.keyDirectory.read()).byId.get(id)
  if (listed === undefined) return null
  const spent = await readSpent(sources)
  const uses = await sources.usage.readKeyUses([id])
  const teams = await sources.teamDirectory.read()
  const peopleOf = await readKeyPeople([listed.key], teams, sources.settings)
  const { stateOf } = await readKeyStates(sources, sources.caller)
  return toKeyRow(listed.key, { spent, uses, teams, peopleOf, stateOf, nowMs: sources.clock.now() })
}

interface Spent {
  readonly asOf: string
  /** Highest first; a key that is not in it has spent nothing. */
  readonly byKey: ReadonlyMap<string, number>
}

async function readSpent(sources: KeySources): Promise<Spent> {
  const { asOf, spent } = await readCurrent(sources, ['keys'], async (atMs) => {
    const { largest: _all, ...question } = toStoreQuestion(SPENT, atMs)
    const rows = toUsageRows(await sources.usage.sum(question), SPENT, atMs)
    return {
      asOf: new Date(atMs).toISOString(),
      spent: rows.map(({ label, value }) => [label, value] as const),
    }
  })
  return { asOf, byKey: new Map(spent) }
}

interface RowFacts {
  readonly spent: Spent
  readonly uses: ReadonlyMap<string, number>
  readonly teams: KnownTeams
  readonly peopleOf: Awaited<ReturnType<typeof readKeyPeople>>
  readonly stateOf: KeyStates['stateOf']
  readonly nowMs: number
}

function toKeyRow(key: ApiKey, facts: RowFacts): KeyRow {
  const { spent, uses, teams, peopleOf, stateOf, nowMs } = facts
  return {
    ...toKeyAnswer(key, nowMs),
    team: teams.byId.get(key.teamId ?? '')?.name ?? null,
    ...peopleOf(key),
    state: stateOf(key),
    last_used_at: toIsoOrNull(uses.get(key.id) ?? null),
    spent_usd: spent.byKey.get(key.id) ?? 0,
    warnings: listLimitWarnings(key, teams, nowMs),
  }
}

function inOrder(
  known: KnownKeys,
  order: (typeof KEY_ORDERS)[number],
  spent: Spent,
): readonly ListedKey[] {
  switch (order) {
    case 'name':
      return known.byName
    case 'created':
      return known.newestFirst
    case 'spent':
      return bySpent(known, spent)
  }
}

/** Keys with spend are sorted already; the others need no sorting. */
function bySpent({ byId, byName }: KnownKeys, { byKey }: Spent): readonly ListedKey[] {
  const first = new Set<ListedKey>()
  for (const [id, value] of byKey) {
    const listed = byId.get(id)
    if (value > 0 && listed !== undefined) first.add(listed)
  }
  return [...first, ...byName.filter((listed) => !first.has(listed))]
}

/** Undefined where the question names none. */
async function readOwners(
  { team, person }: KeyPageQuestion,
  teams: KnownTeams,
  { settings }: KeySources,
): Promise<{ teamId: string | undefined; personId: string | undefined }> {
  const user = person === undefined ? null : await requireUser(settings, person, 'Parameter person')
  return {
    teamId: team === undefined ? undefined : requireTeam(teams, team, 'Parameter team').id,
    personId: user?.id,
  }
}

function createFilter(
  { id, search, status }: KeyPageQuestion,
  { teamId, personId }: Awaited<ReturnType<typeof readOwners>>,
  statusOf: KeyStates['statusOf'],
): (listed: ListedKey) => boolean {
  const ids = id === undefined ? null : new Set(id)
  const sought = search?.toLowerCase()
  return ({ key, words }) =>
    (ids === null || ids.has(key.id)) &&
    (teamId === undefined || key.teamId === teamId) &&
    (personId === undefined || key.personId === personId) &&
    (sought === undefined || words.includes(sought)) &&
    (status === undefined || statusOf(key) === status)
}
