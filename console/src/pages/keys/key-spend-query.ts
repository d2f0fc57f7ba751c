// What one key spent: one answer, of one moment.

import { queryOptions } from '@tanstack/react-query'
import type { KeySpend } from '../../../../src/api/contract.ts'
import { askAged } from '../../data/api-client.ts'

export function keySpendQuery(id: string) {
  return queryOptions({
    queryKey: ['key-spend', id] as const,
    queryFn: ({ signal }) =>
      askAged<KeySpend>(`/v1/keys/${encodeURIComponent(id)}/spend`, { signal }),
    staleTime: (query) => query.state.data?.maxAgeMs ?? 0,
    refetchInterval: (query) => query.state.data?.maxAgeMs ?? false,
  })
}
