// Asks for more than a limit: those that one sees, making one, and deciding.

import type { AskList, AskRow, KeyBudget, NewAskBody } from '../../../../src/api/contract.ts'
import { ask, toOne, toPath } from '../../data/api-client.ts'
import { formatUsd } from '../../data/format-usd.ts'
import { readQuery, useChange } from '../../data/queries.ts'

const ASKS = '/v1/asks'
const ASKS_KEY = ['asks'] as const
const ASKS_AGE_MS = 30_000

export type Act = 'approve' | 'decline' | 'withdraw'

/** Open ones first: the others are their history. */
export function asksQuery(team?: string) {
  return readQuery<AskList>([...ASKS_KEY, team ?? 'all'], toPath(ASKS, { team }), {
    refetchInterval: ASKS_AGE_MS,
  })
}

export const useMakeAsk = () =>
  useChange((body: NewAskBody) => ask<AskRow>(ASKS, { method: 'POST', body }), ASKS_KEY)

interface Answer {
  readonly act: Act
  readonly body: { readonly amount_usd?: string; readonly note?: string }
}

/** Another limit may let calls through at once. */
export const useAnswerAsk = (id: string) =>
  useChange(
    ({ act, body }: Answer) => ask<AskRow>(toOne(ASKS, id, act), { method: 'POST', body }),
    ASKS_KEY,
    ['budgets'],
    ['keys'],
  )

export const ASK_STATES = {
  open: { tone: 'warning', text: 'Open' },
  approved: { tone: 'good', text: 'Approved' },
  declined: { tone: 'bad', text: 'Declined' },
  closed: { tone: 'neutral', text: 'Closed' },
} as const satisfies Readonly<Record<AskRow['status'], object>>

/** `$5.00 a month under Each key of Search` */
export function toLimitWords({ name, limit_usd: limit, period }: BudgetTerms): string {
  return `${formatUsd(limit)} a ${period}, ${name}`
}

type BudgetTerms = Pick<KeyBudget, 'name' | 'limit_usd' | 'period'>

/** What limits nobody else. */
export function isOwnLimit({ each, scope }: Pick<KeyBudget, 'each' | 'scope'>): boolean {
  return each === 'key' || each === 'person' || /^(?:api_key|person)=/.test(scope)
}

/** `$5.00 → $10.00 a month, Each key of Search` */
export function toAskWords(row: AskRow): string {
  const { amount_usd: amount, granted_usd: granted, limit_usd: limit, period, budget } = row
  if (row.kind === 'limit' || amount === null) return 'Another limit'
  const from = row.status === 'open' && limit !== null ? `${formatUsd(limit)} → ` : ''
  const rhythm = period === null ? '' : ` a ${period}`
  return `${from}${formatUsd(granted ?? amount)}${rhythm}${budget === null ? '' : `, ${budget}`}`
}
