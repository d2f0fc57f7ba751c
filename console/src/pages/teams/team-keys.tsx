// The keys of a team, and making one in it: for any service by who leads it, else a personal one.

import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamAnswer } from '../../../../src/api/contract.ts'
import { keysQuery } from '../../data/keys.ts'
import { useCan, useSession } from '../../data/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import { KeyList } from '../keys/key-list.tsx'
import { useLeads } from './use-leads.ts'

export function TeamKeys({ team }: { readonly team: TeamAnswer }) {
  const [isCreating, setCreating] = useState(false)
  const query = useInfiniteQuery(keysQuery({ team: team.id }))
  const ownId = useSession()?.user.id ?? ''
  const isLead = useLeads(team)
  const canCreate = useCan('write:keys') && team.status === 'active'
  return (
    <>
      <KeyList
        query={query}
        isOfTeam
        caption={`Keys of ${team.name}`}
        heading="Keys"
        description={toDescription(team)}
        actions={
          canCreate && (
            <Button
              size="xs"
              variant="default"
              leftSection={<PlusIcon size={16} />}
              onClick={() => setCreating(true)}
            >
              Create a key
            </Button>
          )
        }
        empty={
          <EmptyState title="No keys yet">
            Calls of a key in this team are booked to it. Create one here, or move one here in the
            settings of the key.
          </EmptyState>
        }
      />
      {canCreate && (
        <CreateKey
          first={{ team_id: team.id, person_id: isLead ? '' : ownId }}
          isOpen={isCreating}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}

function toDescription({ keys_beyond_limits: count }: TeamAnswer): string {
  const own = 'Their calls are booked to the team, at the time of each call.'
  if (count === 0) return own
  const some = count === 1 ? '1 of them may' : `${count} of them may`
  return `${own} ${some} do more than its limits allow now.`
}
