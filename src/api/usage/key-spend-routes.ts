// GET /v1/keys/{id}/spend: what one key spent, all of one moment, in a snapshot that is shared like
// those of /v1/usage. Must stay true: each figure is what /v1/usage answers at the same moment.

import { hasScope } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { withScope } from '../access.ts'
import type { KeySpend, UsageRow } from '../contract.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { error, TOO_MANY_WAIT } from '../route-answers.ts'
import { toExampleRow } from './example-row.ts'
import type { UsageQuery } from './parse-usage-query.ts'
import { snapshotResponse } from './snapshot-response.ts'
import { keySpendSchema } from './usage-contract.ts'
import { toStoreQuestion, toUsageRows } from './usage-query.ts'

const KEPT_MS = 60_000
export const KEY_MODELS_MAX = 6

const EXAMPLE_ID = 'svc_k_7h2m9x4q8r1t5w3z'

export const KEY_SPEND_ROUTES: readonly ApiRoute[] = [
  routesOf('Keys')('GET /v1/keys/{id}/spend', {
    name: 'getKeySpend',
    summary: 'What one key spent',
    description:
      'Everything in it is worked out at one moment, `asOf`, so that its figures add up; each is what `/v1/usage` answers at that moment with this `api_key`. ' +
      'A snapshot, kept for a minute. Needs scope read:keys as well.',
    access: withScope('read:usage'),
    id: { description: 'The id of a key, `svc_k_…`, without its secret.', example: EXAMPLE_ID },
    answer: ok('What the key spent, and when it was read.', keySpendSchema, {
      asOf: '2026-03-15T12:00:00.000Z',
      today_usd: 12.75,
      yesterday_usd: 31.5,
      month_to_date_usd: 384.503,
      last_month_usd: 710.75,
      days: [toExampleRow('2026-03-14', 31.5), toExampleRow('2026-03-15', 12.75)],
      models: [toExampleRow('large-2026-01-15', 312.4), toExampleRow('small-2026-01-15', 72.103)],
    }),
    answers: {
      ...TOO_MANY_WAIT,
      404: error('`not_found`: there is no such key.', {
        error: 'There is no such key. GET /v1/keys lists them.',
        code: 'not_found',
      }),
    },
    handle: async ({ context, services, caller, id }) => {
      const { clock, keyDirectory, usage, usageSnapshots } = services
      if (!hasScope(caller, 'read:keys')) {
        throw new WeirError('scope_denied', 'The spend of a key needs a token with read:keys.')
      }
      if (!(await keyDirectory.read()).byId.has(id)) {
        throw new WeirError('not_found', 'There is no such key. GET /v1/keys lists them.')
      }
      const snapshot = await usageSnapshots.readKept({
        name: JSON.stringify(['key spend', id]),
        compute: async (nowMs) => ({
          text: JSON.stringify(await readKeySpend(id, usage, nowMs)),
          keptMs: KEPT_MS,
        }),
      })
      return snapshotResponse(context, snapshot, clock.now())
    },
  }),
]

async function readKeySpend(
  keyId: string,
  usage: Pick<UsageStore, 'sumTogether'>,
  nowMs: number,
): Promise<KeySpend> {
  const queries = listQueries(keyId)
  const sums = await usage.sumTogether(queries.map((query) => toStoreQuestion(query, nowMs)))
  const [today, yesterday, month, lastMonth, days, models] = queries.map((query, place) =>
    toUsageRows(sums[place] ?? [], query, nowMs),
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
