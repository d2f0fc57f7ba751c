// Whether who has signed in may change who is in a team. The server decides; this only hides what
// would be refused.

import { useQuery } from '@tanstack/react-query'
import type { MemberRow, TeamAnswer } from '../../../../src/api/contract.ts'
import { useCan, useSession } from '../../data/session.ts'
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
