// Who works at the company of the demo, and in which teams. A key's team is what its callers say in
// the dimension `team`, so that both questions have the same answer.

import type { MemberRole, TeamSettings } from '../src/core/teams/team.ts'
import type { User, UserRole } from '../src/core/user.ts'

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly role: UserRole
  /** Null: nobody signs in as them. */
  readonly password: string | null
}

/** Whom the demo names as people to sign in as. */
export interface DemoLogin extends DemoPerson {
  readonly password: string
  /** What they may see and do. */
  readonly sees: string
}

export const ADMIN: DemoLogin = {
  email: 'ada@acme.example',
  name: 'Ada Brook',
  role: 'admin',
  password: 'weir-demo-admin',
  sees: 'can change everything',
}

const VIEWER: DemoLogin = {
  email: 'vic@acme.example',
  name: 'Vic Ford',
  role: 'viewer',
  password: 'weir-demo-viewer',
  sees: 'can view everything',
}

export const LEAD: DemoLogin = {
  email: 'lea@acme.example',
  name: 'Lea Marsh',
  role: 'none',
  password: 'weir-demo-lead',
  sees: 'leads Support: its keys, calls and budgets',
}

const MEMBER: DemoLogin = {
  email: 'max@acme.example',
  name: 'Max Weber',
  role: 'none',
  password: 'weir-demo-member',
  sees: 'is in Platform: a key of his own, and what the team spends',
}

const RESEARCHER: DemoPerson = {
  email: 'kim@acme.example',
  name: 'Kim Lane',
  role: 'none',
  password: null,
}

export const PEOPLE = { ada: ADMIN, vic: VIEWER, lea: LEAD, max: MEMBER, kim: RESEARCHER } as const
export type PersonHandle = keyof typeof PEOPLE

/** Those who are users: a directory that an older demo made has the first two. */
export function listLogins(users: readonly Pick<User, 'email'>[]): readonly DemoLogin[] {
  const emails = new Set(users.map(({ email }) => email))
  return [ADMIN, VIEWER, LEAD, MEMBER].filter(({ email }) => emails.has(email))
}

/** Its handle is its slug. What is left out is not limited. */
export interface DemoTeam extends Partial<Omit<TeamSettings, 'slug' | 'parentId'>> {
  readonly name: string
  readonly parent?: string
  readonly people?: Readonly<Partial<Record<PersonHandle, MemberRole>>>
}

// A department is before its teams.
export const TEAMS = {
  engineering: { name: 'Engineering', costCenter: 'CC-100', people: { ada: 'lead' } },
  platform: {
    name: 'Platform',
    parent: 'engineering',
    membersSeeTotals: true,
    people: { max: 'member' },
  },
  // One of its keys is older than the limit, and beyond it.
  search: { name: 'Search', parent: 'engineering', requiredDims: ['team'] },
  data: { name: 'Data', parent: 'engineering' },
  support: {
    name: 'Support',
    costCenter: 'CC-200',
    allowedModels: ['anthropic/claude-*', 'google/gemini-*'],
    people: { lea: 'lead' },
  },
  growth: { name: 'Growth', costCenter: 'CC-300' },
  research: { name: 'Research', people: { kim: 'lead' } },
} as const satisfies Readonly<Record<string, DemoTeam>>

export type TeamHandle = keyof typeof TEAMS
