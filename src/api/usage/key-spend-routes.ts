// GET /v1/keys/{id}/spend: what one key spent, all of one moment, which is that of the keys' list.
// Must stay true: each figure is what /v1/usage answers at the same moment.

import { hasScope } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { withScope } from '../access.ts'
import type { KeySpend, UsageRow } from '../contract.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { KEY } from '../keys/key-routes.ts'
import { TOO_MANY_WAIT } from '../route-answers.ts'
import { readCurrent } from './current-figures.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { keySpendSchema } from './usage-contract.ts'
import { toStoreQuestion, toUsageRows } from './usage-query.ts'

export const KEY_MODELS_MAX = 6

export const KEY_SPEND_ROUTES: readonly ApiRoute[] = [
  routesOf('Keys')('GET /v1/keys/{id}/spend', {
    name: 'getKeySpend',
    summary: 'What one key spent',
    description:
      'Everything in it is worked out at one moment, `asOf`, so that its figures add up; each is what `/v1/usage` answers at that moment with this `api_key`. ' +
      'It is the moment of `GET /v1/keys`, too, until another call is recorded, and a minute at most. Needs scope read:keys as well.',
    access: withScope('read:usage'),
    sight: 'scoped',
    id: KEY,
    answer: ok('What the key spent, and when it was read.', keySpendSchema),
    answers: TOO_MANY_WAIT,
    handle: async ({ services, caller, id, missing }) => {
      const { keyDirectory, usage } = services
      if (!hasScope(caller, 'read:keys')) {
        throw new WeirError('scope_denied', 'The spend of a key needs a token with read:keys.')
      }
      if (!(await keyDirectory.read()).byId.has(id)) missing()
      return readCurrent(services, ['key spend', id], (atMs) => readKeySpend(id, usage, atMs))
    },
  }),
]

async function readKeySpend(
  keyId: string,
  usage: Pick<UsageStore, 'readSnapshot'>,
  nowMs: number,
): Promise<KeySpend> {
  const queries = listQueries(keyId)
  const questions = queries.map((query) => toStoreQuestion(query, nowMs))
  const { sums, unknown = [] } = await usage.readSnapshot({ questions, spans: [] })
  const [today, yesterday, month, lastMonth, days, models] = queries.map((query, place) =>
    unknown.includes(place) ? [] : toUsageRows(sums[place] ?? [], query, nowMs),
  )
  const total = (rows: readonly UsageRow[] = []): number => rows[0]?.value ?? 0
  return {
    asOf: new Date(nowMs).toISOString(),
    today_usd: total(today),
    yesterday_usd: total(yesterday),
    month_to_date_usd: total(month),
    last_month_usd: total(lastMonth),
    days: days ?? [],
    models: models ?? [],
  }
}

/** In the order of the answer. */
function listQueries(keyId: string): readonly UsageQuery[] {
  const about = { metric: 'cost_usd', dimKey: null, month: null, months: null, keyId } as const
  const whole = { ...about, dimension: null, limit: KEY_MODELS_MAX } as const
  return [
    { ...whole, window: 'today' },
    { ...whole, window: 'yesterday' },
    { ...whole, window: 'month_to_date' },
    { ...whole, window: 'last_month' },
    { ...whole, window: 'last_30_days', dimension: 'day' },
    { ...whole, window: 'month_to_date', dimension: 'model' },
  ]
}
