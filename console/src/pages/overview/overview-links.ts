// Where the groups of Overview lead: to Explore with the question that they answer, or to their
// calls. Must stay true: what is there is of the same time and the same calls.

import type { AnalysisGroupMember } from '../../../../src/api/contract.ts'
import { DAY_MS, toHourText } from '../../data/analysis/time-range.ts'
import { toTeamHref } from '../../data/teams.ts'
import { toHref } from '../../data/search-values.ts'

const COMPARED = { range: 'this_month', compare: 'previous', order_by: 'change' } as const

/** All changes of this month, the largest first. */
export function toChangesHref(groupBy: string): string {
  return toHref('/explore', { ...COMPARED, group_by: groupBy })
}

/** One group's change, by what made it; undefined for what was not kept apart. */
export function toMoverHref(
  { field, kind, value }: AnalysisGroupMember,
  canReadKeys: boolean,
): string | undefined {
  if (kind === 'other') return undefined
  const within = field === 'model' ? (canReadKeys ? 'api_key' : 'provider') : 'model'
  return toHref('/explore', { ...COMPARED, group_by: within, filter: `${field}=${value ?? ''}` })
}

/** Who it was: the first question of everyone who sees a peak. */
export function toDayHref(day: string, canReadKeys: boolean): string {
  const to = toHourText(Date.parse(day) + DAY_MS)
  return toHref('/explore', { from: day, to, group_by: canReadKeys ? 'api_key' : 'model' })
}

/** Its page, or its calls of this month; untagged ones in Explore, which can name them. */
export function toGroupHref(
  { field, kind, value }: AnalysisGroupMember,
  asOf: string,
): string | undefined {
  if (kind === 'other') return undefined
  if (kind === 'none' || value === null) {
    return toHref('/explore', { range: 'this_month', group_by: 'model', filter: `${field}=` })
  }
  // The month is still running: it has no end.
  const from = `${asOf.slice(0, 7)}-01`
  if (field === 'api_key') return `/keys/${encodeURIComponent(value)}`
  if (field === 'team') return toTeamHref(value)
  if (field.startsWith('dim:')) {
    return toHref('/requests', { from, dim_key: field.slice('dim:'.length), dim_value: value })
  }
  return toHref('/requests', { from, [field]: value })
}
