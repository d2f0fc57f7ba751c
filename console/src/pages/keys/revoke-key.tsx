// Revokes a key. It says what will happen first, and asks for the name, since it cannot be undone.

import type { KeyRow } from '../../../../src/api/contract.ts'
import { useRevokeKey } from '../../data/keys.ts'
import { useAnyway } from '../../data/use-anyway.ts'
import { ConfirmButton } from '../../ui/forms/confirm-button.tsx'

export function RevokeKey({ row: { id, name, version } }: { readonly row: KeyRow }) {
  const revoke = useRevokeKey(id)
  return (
    <ConfirmButton
      variant="light"
      title={`Revoke key ${name}?`}
      consequence="Calls with it are refused from now on. This cannot be undone. What it spent stays in every figure."
      action="Revoke key"
      typed={name}
      done={`${name} is revoked. Calls with it are now refused.`}
      onConfirm={useAnyway(version, revoke.mutateAsync)}
    >
      Revoke
    </ConfirmButton>
  )
}
