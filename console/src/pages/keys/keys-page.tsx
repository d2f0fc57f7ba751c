// API keys: the keys of callers, with what each has spent this month.

import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { formatTime } from '../../data/format-time.ts'
import { keysQuery } from '../../data/keys.ts'
import { SHOWN_KEY_STATUSES } from '../../../../src/core/api-key.ts'
import { KEY_ORDERS } from '../../data/page-search.ts'
import type { KeysSearch } from '../../data/page-search.ts'
import { parseChoice } from '../../data/search-values.ts'
import { useCan } from '../../data/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterBar, FilterSelect } from '../../ui/forms/filter-bar.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/page.tsx'
import { CreateKey } from './create-key.tsx'
import { STATUS_NAMES } from './credential-status.tsx'
import { KeyList } from './key-list.tsx'
import { TeamSelect } from './team-select.tsx'

const route = getRouteApi('/shell/keys')

const STATUS_OPTIONS = SHOWN_KEY_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))

const FILTERS = ['search', 'status', 'team'] as const

export function KeysPage(): ReactElement {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const canCreate = useCan('write:keys')
  const [isCreating, setCreating] = useState(false)
  const query = useInfiniteQuery(keysQuery(search))
  const last = query.data?.pages.at(-1)
  const write = (change: KeysSearch): void => {
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  }
  const create = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setCreating(true)}>
      Create a key
    </Button>
  )
  return (
    <Page
      docs="policy"
      title="API keys"
      description="Who calls through Weir, what each key can use, and what it spent this month, UTC."
      actions={canCreate && create}
      asOf={last === undefined ? null : formatTime(last.spent_as_of)}
    >
      <FilterBar
        label="Filter the keys"
        search={search}
        filters={FILTERS}
        typed={{ name: 'search', placeholder: 'Name, owner or id' }}
        onChange={write}
      >
        <FilterSelect
          label="Status"
          options={STATUS_OPTIONS}
          value={search.status}
          onChange={(status) => write({ status })}
        />
        <TeamSelect none="Any" value={search.team} onChange={(team) => write({ team })} />
      </FilterBar>
      <KeyList
        query={query}
        caption="API keys"
        order={search.order}
        onOrder={(columnId) => write({ order: parseChoice(columnId, KEY_ORDERS) })}
        empty={<NoKeys isFiltered={FILTERS.some((name) => search[name] !== undefined)} />}
      />
      {canCreate && <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NoKeys({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return <EmptyState title="No matching keys">Try another search, status or team.</EmptyState>
  return (
    <EmptyState title="No keys yet">
      Callers are identified by their key. Create one for each app, job or team whose spending you
      want to see separately.
    </EmptyState>
  )
}
