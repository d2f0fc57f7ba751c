// Which teams the values of a dimension make, and which keys come to them. Pure: nothing is changed
// here. Must stay true: a key that has a team keeps it, and a second plan after the first was
// carried out moves nothing.

import type { ApiKey } from '../../core/api-key.ts'
import { keyStatusOf } from '../../core/api-key.ts'
import { NAME_CHARS_MAX } from '../../core/key-rules.ts'
import { TEAM_SLUG } from '../../core/teams/team.ts'
import type { Team } from '../../core/teams/team.ts'
import { compareText } from '../compare-text.ts'
import { listLimitFaults } from '../keys/team-limits.ts'
import { findMembership } from './team-directory.ts'
import type { KnownTeams } from './team-directory.ts'

export interface PlannedTeam {
  /** Of the dimension: those that come to one slug. */
  readonly values: readonly string[]
  readonly slug: string
  readonly name: string
  /**
   * new    it is to be made
   * known  it is there
   * left   no key comes to it
   */
  readonly state: 'new' | 'known' | 'left'
  /** Why no key comes to it. */
  readonly why: string | null
  /** Null while it is not made. */
  readonly team: Team | null
}

export interface PlannedKey {
  readonly key: ApiKey
  readonly value: string
  readonly slug: string
  /**
   * moved  it comes to the team
   * there  it is in it
   * left   it stays as it is
   */
  readonly state: 'moved' | 'there' | 'left'
  /** Of one that is left. */
  readonly why: string | null
}

export interface AdoptionPlan {
  readonly teams: readonly PlannedTeam[]
  readonly keys: readonly PlannedKey[]
}

interface Sources {
  readonly keys: readonly ApiKey[]
  readonly known: KnownTeams
  readonly nowMs: number
}

export function planAdoption(dim: string, { keys, known, nowMs }: Sources): AdoptionPlan {
  const valued = keys.flatMap((key) => toValued(key, dim)).toSorted(inOrder)
  const groups = Map.groupBy(valued, ({ slug }) => slug)
  const plan: { teams: PlannedTeam[]; keys: PlannedKey[] } = { teams: [], keys: [] }
  for (const [slug, group] of groups) {
    const locked = group.filter(({ isLocked }) => isLocked)
    const team = known.bySlug.get(slug) ?? null
    const fault = findTeamFault(slug, team)
    const planned = group.map(({ key, value, isLocked }): PlannedKey => {
      if (isLocked && fault === null && key.teamId !== null && key.teamId === team?.id) {
        return { key, value, slug, state: 'there', why: null }
      }
      const why = isLocked
        ? findKeyFault(key, { team, fault, known, nowMs })
        : `${dim} is a default that callers override: lock it`
      return { key, value, slug, state: why === null ? 'moved' : 'left', why }
    })
    plan.keys.push(...planned)
    if (locked.length === 0) continue
    const values = [...new Set(locked.map(({ value }) => value))]
    const isEmpty = planned.every(({ state }) => state === 'left')
    const why = fault ?? (isEmpty ? 'no key comes to it' : null)
    plan.teams.push({
      values,
      slug,
      name: team?.name ?? toName(values[0] ?? ''),
      state: why !== null ? 'left' : team === null ? 'new' : 'known',
      why,
      team,
    })
  }
  return plan
}

interface Valued {
  readonly key: ApiKey
  readonly value: string
  readonly slug: string
  readonly isLocked: boolean
}

function toValued(key: ApiKey, dim: string): readonly Valued[] {
  const isLocked = Object.hasOwn(key.lockedDims, dim)
  const dims = isLocked ? key.lockedDims : key.defaultDims
  // A dimension may be called `constructor`.
  const value = Object.hasOwn(dims, dim) ? dims[dim] : undefined
  return value === undefined ? [] : [{ key, value, slug: toSlug(value), isLocked }]
}

function inOrder(one: Valued, other: Valued): number {
  return (
    compareText(one.slug, other.slug) ||
    compareText(one.value, other.value) ||
    compareText(one.key.name, other.key.name)
  )
}

const SLUG_CHARS_MAX = 63

/** `R&D Künstliche` is `r-d-kunstliche`. Empty where the value has no such letter or digit. */
export function toSlug(value: string): string {
  const plain = value.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const joined = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return joined.slice(0, SLUG_CHARS_MAX).replace(/-+$/, '')
}

function toName(value: string): string {
  return Array.from(value).slice(0, NAME_CHARS_MAX).join('').trim()
}

function findTeamFault(slug: string, team: Team | null): string | null {
  if (!TEAM_SLUG.test(slug)) return 'no short name can be made of it: make a team by hand'
  return team?.archivedAt == null ? null : `the team ${team.name} is archived: restore it first`
}

interface Judged extends Omit<Sources, 'keys'> {
  readonly team: Team | null
  readonly fault: string | null
}

function findKeyFault(key: ApiKey, { team, fault, known, nowMs }: Judged): string | null {
  if (key.teamId !== null) {
    return `it is in the team ${known.byId.get(key.teamId)?.name ?? key.teamId}`
  }
  if (fault !== null) return fault
  if (key.personId !== null && findMembership(known, team?.id ?? '', key.personId) === null) {
    return 'its person is not in the team: add them, then run it again'
  }
  const status = keyStatusOf(key, nowMs)
  // One that calls no more may do what it did.
  if (team === null || status === 'revoked' || status === 'expired') return null
  const faults = listLimitFaults(team, key, nowMs)
  return faults.length === 0 ? null : faults.map(({ text }) => text).join(' ')
}
