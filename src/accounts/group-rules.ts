// What a user's groups at the identity provider, or in the directory, give in Weir, by the rules of
// the configuration. Must stay true: all rules that fit apply, and of two roles the greater one.

import type { MemberRole, Team } from '../core/teams/team.ts'
import { USER_ROLES } from '../core/user.ts'
import type { UserRole } from '../core/user.ts'
import type { GroupRule } from './sign-in-options.ts'

export const GROUPS_READ_MAX = 2000
const GROUP_CHARS_MAX = 256
const SHOWN_MAX = 100

/** A group by all its names: a rule that fits one of them fits the group. */
export type GroupNames = readonly string[]

export interface Given {
  /** By team. */
  readonly teams: ReadonlyMap<string, MemberRole>
  /** Null where no rule gives one. */
  readonly companyRole: UserRole | null
  /** Whether any rule is about one of the groups, though its team may not be there. */
  readonly isNamed: boolean
  /** Groups that gave nothing, by their first name. */
  readonly unknown: readonly string[]
}

/** One text, or a list of texts or of objects with `name`, `value` or both. */
export function toGroups(claim: unknown): GroupNames[] {
  const given = Array.isArray(claim) ? claim.slice(0, GROUPS_READ_MAX) : [claim]
  return given.map(toNames).filter((names) => names.length > 0)
}

function toNames(group: unknown): GroupNames {
  const { name, display, value } = (
    typeof group === 'object' && group !== null ? group : { name: group }
  ) as Readonly<Record<string, unknown>>
  return [name, display, value].filter(
    (each) => typeof each === 'string' && each !== '' && each.length <= GROUP_CHARS_MAX,
  ) as string[]
}

export interface Groups {
  readonly groups: readonly GroupNames[]
  readonly rules: readonly GroupRule[]
  readonly teams: readonly Team[]
  /** Whether a group without a rule gives the team that has its name. */
  readonly isByName?: boolean
}

export function applyRules({ groups, rules, teams, isByName = false }: Groups): Given {
  const live = teams.filter(({ archivedAt }) => archivedAt === null)
  const bySlug = new Map(live.map((team) => [team.slug, team]))
  const members = new Map<string, MemberRole>()
  const unknown: string[] = []
  let companyRole: UserRole | null = null
  let isNamed = false
  const join = (team: Team | undefined, role: MemberRole): boolean => {
    if (team === undefined) return false
    if (members.get(team.id) !== 'lead') members.set(team.id, role)
    return true
  }
  for (const names of groups) {
    const fits = rules.flatMap((rule) => {
      const star = names.map((name) => matchGroup(rule.group, name)).find((each) => each !== null)
      return star === undefined || star === null ? [] : [{ rule, star }]
    })
    isNamed ||= fits.length > 0
    let hasGiven = false
    for (const { rule, star } of fits) {
      companyRole = strongest(companyRole, rule.companyRole)
      const slug = rule.team?.replace('*', () => star).toLowerCase()
      const isIn = slug !== undefined && join(bySlug.get(slug), rule.role)
      hasGiven ||= isIn || rule.companyRole !== null
    }
    if (fits.length === 0 && isByName) hasGiven = join(findByName(live, names), 'member')
    if (!hasGiven && unknown.length < SHOWN_MAX) unknown.push(names[0] ?? '')
  }
  return { teams: members, companyRole, isNamed, unknown: unknown.toSorted() }
}

/** What the pattern's star stands for; null where it does not fit. */
export function matchGroup(pattern: string, group: string): string | null {
  const at = pattern.indexOf('*')
  if (at === -1) return pattern === group ? '' : null
  const [start, end] = [pattern.slice(0, at), pattern.slice(at + 1)]
  const isLong = group.length >= start.length + end.length
  if (!isLong || !group.startsWith(start) || !group.endsWith(end)) return null
  return group.slice(start.length, group.length - end.length)
}

function findByName(teams: readonly Team[], names: GroupNames): Team | undefined {
  const lower = names.map((name) => name.toLowerCase())
  return teams.find(({ slug, name }) => lower.includes(slug) || lower.includes(name.toLowerCase()))
}

export function strongest(one: UserRole | null, other: UserRole | null): UserRole | null {
  return USER_ROLES.find((role) => role === one || role === other) ?? null
}

export interface RoleQuestion {
  /** Null for somebody new. */
  readonly current: UserRole | null
  /** By values of the claim, or by rules. */
  readonly given: UserRole | null
  /** The roles that the configuration gives to anybody. */
  readonly named: ReadonlySet<UserRole>
  /** For those to whom nothing gives one. */
  readonly preset: UserRole | null
}

/**
 * A role that the configuration gives is also its to take; any other is as an administrator set it,
 * and only a greater one takes its place. Null: nothing lets the user in.
 */
export function decideRole({ current, given, named, preset }: RoleQuestion): UserRole | null {
  const kept = current === null || named.has(current) ? null : current
  return strongest(kept, given) ?? preset
}
