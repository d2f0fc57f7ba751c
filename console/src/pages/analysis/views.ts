// Saved views: the user's own and those that others share.

import type {
  NewViewBody,
  ViewChangeBody,
  ViewList,
  ViewRow,
} from '../../../../src/api/contract.ts'
import { ask, toOne } from '../../data/api-client.ts'
import { readQuery, useChange } from '../../data/queries.ts'

const VIEWS = '/v1/views'
const VIEWS_KEY = ['views'] as const

export const viewsQuery = readQuery<ViewList>(VIEWS_KEY, VIEWS)

export function toViewHref({ page, query }: Pick<ViewRow, 'page' | 'query'>): string {
  return query === '' ? `/${page}` : `/${page}?${query}`
}

export const useSaveView = () =>
  useChange((body: NewViewBody) => ask<ViewRow>(VIEWS, { method: 'POST', body }), VIEWS_KEY)

export const useChangeView = () =>
  useChange(
    ({ id, ...body }: ViewChangeBody & { readonly id: string }) =>
      ask<ViewRow>(toOne(VIEWS, id), { method: 'PATCH', body }),
    VIEWS_KEY,
  )

export const useDeleteView = () =>
  useChange((id: string) => ask<ViewRow>(toOne(VIEWS, id), { method: 'DELETE' }), VIEWS_KEY)
