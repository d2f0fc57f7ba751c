// Whether keys can be made in a team.

import type { TeamRow } from '../../../../src/api/contract.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'

type Status = TeamRow['status']

export const TEAM_STATUS_NAMES: Readonly<Record<Status, string>> = {
  active: 'Active',
  archived: 'Archived',
}

export function TeamStatus({ status }: { readonly status: Status }) {
  return (
    <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>
      {TEAM_STATUS_NAMES[status]}
    </StatusBadge>
  )
}
