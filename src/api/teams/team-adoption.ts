// Makes teams out of the values of a dimension, gives them the keys that have it locked, and books
// these keys' past calls to them. Must stay true: it can be broken off anywhere and run again, and
// one run goes at a time.

import { nearestWord } from '../../core/nearest-word.ts'
import { TEAMS_MAX } from '../../core/teams/team.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import type { Actor } from '../../core/user.ts'
import { bookCalls } from '../../ledger/past-calls/book-calls.ts'
import { TEAM_CODEC } from '../../resources/codecs.ts'
import { ChangedMeanwhile } from '../../store/settings/changed-meanwhile.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { oneAtATime } from '../questions/one-at-a-time.ts'
import type { PriceAdminOptions } from '../prices/price-admin.ts'
import type { TeamAdoptionAnswer } from './adopt-contract.ts'
import { planAdoption } from './adoption-plan.ts'
import type { AdoptionPlan, PlannedKey } from './adoption-plan.ts'
import { addCall, listGone, readNoKey, sumUnbooked, toMonth, toSum } from './adoption-sums.ts'
import type { CallSums } from './adoption-sums.ts'
import { createTeamDirectory } from './team-directory.ts'

export interface AdoptionQuestion {
  readonly dim: string
  readonly isApplied: boolean
}

export type TeamAdoption = (question: AdoptionQuestion, actor: Actor) => Promise<TeamAdoptionAnswer>

export type TeamAdoptionOptions = Pick<
  PriceAdminOptions,
  'settings' | 'usage' | 'clock' | 'onProgress' | 'isAlone'
>

const ADOPTING = 'Teams are being made out of a dimension already, one run at a time.'
/** Some 20 ms, during which other requests wait. */
const STEPS = { stepRecordsMax: 250 }

export function createTeamAdoption(options: TeamAdoptionOptions): TeamAdoption {
  const { settings, usage, isAlone = false } = options
  return oneAtATime(ADOPTING, async ({ dim, isApplied }, actor) => {
    const planned = await plan(dim, options)
    const noKey = await readNoKey(usage, dim, new Set(planned.keys.map(({ value }) => value)))
    if (planned.keys.length === 0 && noKey.length === 0) throw await unknownDim(dim, settings)
    const own = settings.as(actor)
    const { teams, keys } = isApplied ? await carryOut(planned, own) : planned
    // A team that is not made yet goes by its short name.
    const idOf = new Map(teams.map(({ slug, team }) => [slug, team?.id ?? slug]))
    const coming = keys.filter(({ state }) => state !== 'left')
    const teamOf = new Map(coming.map(({ key, slug }) => [key.id, idOf.get(slug) ?? slug]))
    // First: calls that come after it are no lost ones.
    const unbooked = await sumUnbooked(usage, new Set(teamOf.keys()))
    const [byTeam, byMonth]: [CallSums, CallSums] = [new Map(), new Map()]
    const onBooked = (records: readonly UsageRecord[]): void => {
      for (const record of records) {
        addCall(byTeam, teamOf.get(record.event.keyId ?? '') ?? '', record)
        addCall(byMonth, toMonth(record.event.endedAt), record)
      }
    }
    const steps = isAlone ? {} : STEPS
    try {
      await bookCalls({ ...options, upkeep: usage.upkeep, teamOf, isApplied, onBooked, ...steps })
    } finally {
      // Also of a run that fails: what it has done, it has done.
      if (isApplied) await note(own, dim, { teams, keys, total: toSum(...byTeam.values()) })
    }
    return {
      dim,
      dry_run: !isApplied,
      teams: teams.map(({ slug, name, values, state, why, team }) => {
        const shown = { slug, name, values: [...values], state, why, team_id: team?.id ?? null }
        return { ...shown, ...toSum(byTeam.get(team?.id ?? slug)) }
      }),
      keys: keys.map(({ key: { id, name }, value, slug, state, why }) => {
        return { id, name, value, slug, state, why }
      }),
      ...toSum(...byTeam.values()),
      months: [...byMonth.keys()]
        .toSorted()
        .map((month) => ({ month, ...toSum(byMonth.get(month)) })),
      gone: listGone(unbooked, byMonth),
      no_key: noKey,
    }
  })
}

async function plan(dim: string, { settings, clock }: TeamAdoptionOptions): Promise<AdoptionPlan> {
  const known = await createTeamDirectory(settings).read()
  const made = planAdoption(dim, { keys: await settings.keys.list(), known, nowMs: clock.now() })
  const count = made.teams.filter(({ state }) => state === 'new').length
  if (known.teams.length + count <= TEAMS_MAX) return made
  throw invalidParameter(
    `dim: ${dim} makes ${count} teams beside ${known.teams.length} that are there; ${TEAMS_MAX} is the most.`,
  )
}

/** With the teams that were made, and without the keys that somebody changed meanwhile. */
async function carryOut(
  { teams: planned, keys }: AdoptionPlan,
  settings: SettingsStore,
): Promise<AdoptionPlan> {
  const teams: AdoptionPlan['teams'][number][] = []
  for (const one of planned) {
    const { name, slug, state } = one
    const isNew = state === 'new'
    const team = isNew ? await settings.teams.create(TEAM_CODEC.fromNew({ name, slug })) : one.team
    teams.push({ ...one, team })
  }
  const idOf = new Map(teams.map(({ slug, team }) => [slug, team?.id ?? null]))
  const moved: PlannedKey[] = []
  for (const one of keys) {
    const isDone = one.state !== 'moved' || (await move(one, idOf.get(one.slug) ?? null, settings))
    moved.push(isDone ? one : { ...one, state: 'left', why: CHANGED })
  }
  return { teams, keys: moved }
}

const CHANGED = 'it was changed meanwhile: run it again'

async function move(
  { key }: PlannedKey,
  teamId: string | null,
  { keys }: SettingsStore,
): Promise<boolean> {
  try {
    return (await keys.update(key.id, { teamId }, [key.version])) !== null
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return false
    throw error
  }
}

/** Nothing where nothing was done. */
async function note(
  { audit }: SettingsStore,
  dim: string,
  { teams, keys, total }: AdoptionPlan & { readonly total: ReturnType<typeof toSum> },
): Promise<void> {
  const made = teams.filter(({ state }) => state === 'new').length
  const moved = keys.filter(({ state }) => state === 'moved').length
  if (made + moved + total.calls === 0) return
  const changes = {
    teams: { after: made },
    keys: { after: moved },
    calls: { after: total.calls },
    cost_usd: { after: total.cost_usd },
  }
  await audit.add({ action: 'team.adopt', subjectId: null, subjectName: dim, changes })
}

async function unknownDim(dim: string, { keys }: SettingsStore) {
  const names = (await keys.list()).flatMap(({ lockedDims }) => Object.keys(lockedDims))
  const near = nearestWord(dim, [...new Set(names)])
  const hint = near === null ? 'Lock it in keys first.' : `Did you mean ${near}?`
  return invalidParameter(`dim: No key has the dimension ${dim}, and no call had it. ${hint}`)
}
