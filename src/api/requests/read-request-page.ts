// A page of the request log in the order that was asked for.

import type { UsageRecord } from '../../core/usage-record.ts'
import type { RequestLog, SortCursor } from '../../store/usage/request-log.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { isNewestFirst } from './request-cursor.ts'
import type { RequestQuery } from './to-request-query.ts'

const MINUTE_MS = 60_000

export interface RequestPage {
  readonly records: readonly UsageRecord[]
  readonly next: SortCursor | null
}

/** Throws `invalid_parameter` where there are more calls than can be sorted. */
export async function readRequestPage(
  requests: RequestLog,
  { filter, order, after, rowsMax }: RequestQuery,
  nowMs: number,
): Promise<RequestPage> {
  if (isNewestFirst(order)) {
    const page = await requests.list(filter, { before: after?.id ?? null, rowsMax })
    return { records: page.records, next: page.next === null ? null : { key: 0, id: page.next } }
  }
  const page = await requests.listSorted(filter, { order, after, rowsMax })
  if (page.kind === 'page') return page
  const fromMs = Math.ceil(page.fromMs / MINUTE_MS) * MINUTE_MS
  const most = `At most ${page.callsMax.toLocaleString('en')} calls can be sorted`
  if (fromMs >= (filter.endedToMs ?? nowMs)) {
    throw invalidParameter(
      `${most}, and more than that ended within minutes: choose an earlier to, or leave sort out.`,
    )
  }
  const from = `${new Date(fromMs).toISOString().slice(0, 19)}Z`
  throw invalidParameter(`${most}, and this span has more: from=${from} or later would fit.`)
}
