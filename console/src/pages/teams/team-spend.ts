// What a team spent, from one answer, so that all its figures are of one moment.

import type { TeamSpend } from '../../../../src/api/contract.ts'
import type { Spend } from '../keys/key-spend.tsx'

/** The last of the days is today, that of the months this one. */
export function toSpend({ asOf, days, months }: TeamSpend): Spend {
  const month = months?.at(-1)
  return {
    asOf,
    today_usd: days?.at(-1)?.cost_usd ?? null,
    yesterday_usd: days?.at(-2)?.cost_usd ?? null,
    month_to_date_usd: month?.cost_usd ?? null,
    last_month_usd: months?.at(-2)?.cost_usd ?? null,
    days: days?.map(({ start, cost_usd: cost }) => ({ label: start, value: cost })) ?? [],
    ...(month !== undefined && { counts: { requests: month.requests, tokens: month.tokens } }),
  }
}
