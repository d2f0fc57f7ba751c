// Saved views: the user's own and those that others share.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type {
  NewViewBody,
  ViewChangeBody,
  ViewList,
  ViewRow,
} from '../../../../src/api/contract.ts'
import { ask } from '../../data/api-client.ts'

const VIEWS_KEY = ['views'] as const

export const viewsQuery = queryOptions({
  queryKey: VIEWS_KEY,
  queryFn: ({ signal }) => ask<ViewList>('/v1/views', { signal }),
})

export function toViewHref({ page, query }: Pick<ViewRow, 'page' | 'query'>): string {
  return query === '' ? `/${page}` : `/${page}?${query}`
}

export const useSaveView = () =>
  useViewChange((body: NewViewBody) => ask<ViewRow>('/v1/views', { method: 'POST', body }))

export const useChangeView = () =>
  useViewChange(({ id, ...body }: ViewChangeBody & { readonly id: string }) =>
    ask<ViewRow>(toPath(id), { method: 'PATCH', body }),
  )

export const useDeleteView = () =>
  useViewChange((id: string) => ask<ViewRow>(toPath(id), { method: 'DELETE' }))

function toPath(id: string): string {
  return `/v1/views/${encodeURIComponent(id)}`
}

function useViewChange<Change>(change: (change: Change) => Promise<ViewRow>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: VIEWS_KEY }),
  })
}
