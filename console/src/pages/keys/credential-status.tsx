// Whether a key or a token can still be used.

import { StatusBadge } from '../../ui/status-badge.tsx'
import type { StatusTone } from '../../ui/status-badge.tsx'
import type { KeyRow } from '../../../../src/api/contract.ts'

type Status = KeyRow['state']['status']

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  active: 'Active',
  blocked: 'Blocked',
  paused: 'Paused',
  expired: 'Expired',
  revoked: 'Revoked',
}

const STATUS_TONES: Readonly<Record<Status, StatusTone>> = {
  active: 'good',
  blocked: 'bad',
  paused: 'warning',
  expired: 'warning',
  revoked: 'neutral',
}

export function CredentialStatus({ status }: { readonly status: Status }) {
  return <StatusBadge tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</StatusBadge>
}
