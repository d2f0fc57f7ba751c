// Whether who has signed in may change who is in a team. The server decides; this only hides what
// would be refused.

import { useQuery } from '@tanstack/react-query'
import type { MemberRow, TeamAnswer } from '../../../../src/api/contract.ts'
import { useCan, useSeesCompany, useSession } from '../../data/session.ts'
import { membersQuery } from '../../data/teams.ts'

/** Administrators, its leads, and those of its department. */
export function useLeads({ id, parent_id: parentId }: TeamAnswer): boolean {
  const isAdmin = useCan('admin')
  const ownId = useSession()?.user.id
  const own = useQuery(membersQuery(id))
  const above = useQuery({
    ...membersQuery(parentId ?? ''),
    enabled: parentId !== null && !isAdmin,
    retry: false,
  })
  const leads = (rows: readonly MemberRow[] = []): boolean =>
    rows.some(({ user_id: userId, role }) => userId === ownId && role === 'lead')
  return isAdmin || leads(own.data?.rows) || leads(above.data?.rows)
}

/** All of the team, its totals beside their own, or their own alone; undefined until known. */
export function useTeamSight(team: TeamAnswer): 'all' | 'totals' | 'own' | undefined {
  const seesCompany = useSeesCompany()
  const leads = useLeads(team)
  const { isPending } = useQuery(membersQuery(team.id))
  if (seesCompany || leads) return 'all'
  if (isPending) return undefined
  return team.members_see_totals ? 'totals' : 'own'
}
