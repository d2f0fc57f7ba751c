// In place of what only an administrator may see.

import { EmptyState } from './empty-state.tsx'
import { Panel } from './panel.tsx'

/** `The audit log` */
export function OnlyAdministrators({ what }: { readonly what: string }) {
  return (
    <Panel>
      <EmptyState title="Only administrators can see this">
        {what} is not shown to viewers. Ask an administrator if you need it.
      </EmptyState>
    </Panel>
  )
}
