// My keys: the personal keys of who has signed in, and taking one within the limits of a team.

import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { keysQuery } from '../../data/keys.ts'
import { useCan, useSession } from '../../data/session.ts'
import { teamSearchQuery } from '../../data/teams.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/page.tsx'
import { AskForMore } from '../asks/ask-for-more.tsx'
import { OwnAsks } from '../asks/own-asks.tsx'
import { KeyList } from '../keys/key-list.tsx'
import { TakePersonalKey } from './take-personal-key.tsx'

export function MyKeysPage(): ReactElement {
  const session = useSession()
  const canRead = useCan('read:keys')
  const canTake = useCan('write:keys')
  const [isTaking, setTaking] = useState(false)
  const ownId = session?.user.id ?? ''
  const query = useInfiniteQuery({ ...keysQuery({ person: ownId }), enabled: canRead })
  const { data: teams } = useQuery({ ...teamSearchQuery(''), enabled: canTake })
  const [isAsking, setAsking] = useState(false)
  const keys = (query.data?.pages ?? [])
    .flatMap(({ rows }) => rows)
    .filter((row) => row.team_id !== null && row.status !== 'revoked')
  const hasTeam = (teams?.rows.length ?? 0) > 0
  const take = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setTaking(true)}>
      Take a key
    </Button>
  )
  return (
    <Page
      docs="teams"
      title="My keys"
      description="Your personal keys: what each can use, its limits, and what it spent this month, UTC."
      actions={
        <>
          {canTake && keys.length > 0 && (
            <Button variant="default" onClick={() => setAsking(true)}>
              Ask for more
            </Button>
          )}
          {hasTeam && take}
        </>
      }
    >
      {canRead ? (
        <KeyList
          query={query}
          caption="My keys"
          empty={
            <EmptyState title="No keys yet">
              {canTake && !hasTeam
                ? 'You take a key in a team. Ask a lead to add you to one.'
                : 'Take a key, paste a call with it into your tool, and see here what it spends.'}
            </EmptyState>
          }
        />
      ) : (
        <EmptyState title="You are in no team yet">
          Ask the lead of your team, or an administrator, to add {session?.user.email} to it. Then
          you can take a key here.
        </EmptyState>
      )}
      {canTake && <OwnAsks />}
      <AskForMore keys={keys} isOpen={isAsking} onClose={() => setAsking(false)} />
      {hasTeam && <TakePersonalKey isOpen={isTaking} onClose={() => setTaking(false)} />}
    </Page>
  )
}
