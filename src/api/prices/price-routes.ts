// Prices over HTTP. Nothing is priced here; the price admin is asked.

import type { z } from 'zod'
import { assert } from '../../core/assert.ts'
import { toActor } from '../../core/caller.ts'
import type { NewPriceRule } from '../../core/price-rule.ts'
import { withScope } from '../access.ts'
import { created, ok, routesOf } from '../define-route.ts'
import { toIso } from '../iso-time.ts'
import type { ApiRoute } from '../define-route.ts'
import { readModelUse } from '../analysis/model-use.ts'
import {
  missingPriceListSchema,
  newPriceRuleSchema,
  PRICE_RULE_ID_EXAMPLE,
  priceHistoryParametersSchema,
  priceHistorySchema,
  pricePageSchema,
  priceParametersSchema,
  priceRuleListSchema,
  priceRuleSchema,
  PRICES_LIMIT_DEFAULT,
} from './price-contract.ts'

const defineRoute = routesOf('Prices')

export const PRICE_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/prices', {
    name: 'listPrices',
    summary: 'What every model costs now',
    description:
      "At the ordinary tier, by provider and name; the operator's rules are in it. Pages follow each other by next_cursor until it is null.",
    access: withScope('read:usage'),
    sight: 'company',
    query: priceParametersSchema,
    answer: ok('A page of models.', pricePageSchema),
    handle: async ({ services, query }) => {
      const { provider, order, limit = PRICES_LIMIT_DEFAULT, cursor = '0' } = query
      const sought = query.search?.toLowerCase()
      const admin = await services.prices()
      const uses = order === 'used' ? await readModelUse(services, 'cost') : []
      const models = (await admin.listPrices(uses)).filter(
        (each) =>
          (provider === undefined || each.provider === provider) &&
          (sought === undefined || each.model.toLowerCase().includes(sought)),
      )
      const from = Number(cursor)
      const to = from + limit
      return {
        rows: models.slice(from, to),
        used_as_of: order === 'used' ? toIso(services.clock.now()) : null,
        total: models.length,
        next_cursor: to < models.length ? String(to) : null,
        price_data: await admin.readData(),
      }
    },
  }),
  defineRoute('GET /v1/prices/history', {
    name: 'getPriceHistory',
    summary: 'What a model has cost, costs, and is known to cost, tier by tier',
    description: 'A model without a price has no periods.',
    access: withScope('read:usage'),
    sight: 'company',
    query: priceHistoryParametersSchema,
    answer: ok('The prices.', priceHistorySchema),
    handle: async ({ services, query }) => (await services.prices()).readHistory(query),
  }),
  defineRoute('GET /v1/prices/rules', {
    name: 'listPriceRules',
    summary: "The operator's own prices",
    description: 'Those made here or by the command line, and those of the configuration.',
    access: withScope('read:usage'),
    sight: 'company',
    answer: ok('The rules.', priceRuleListSchema),
    handle: async ({ services }) => ({ rows: [...(await (await services.prices()).listRules())] }),
  }),
  defineRoute('POST /v1/prices/rules', {
    name: 'createPriceRule',
    summary: 'Give a model a price, or a factor on the listed one',
    description:
      'Either rates, as decimal texts in USD per million tokens or per unit, or a multiplier. Rates without a tier are for the standard one, and for the others by the ratio of their listed prices. A rule for the same provider, model, tier and moment takes the place of the one that was there. Calls that are recorded already keep the cost they have.',
    access: withScope('write:prices'),
    sight: 'company',
    body: {
      schema: newPriceRuleSchema,
      example: {
        provider: 'some-provider',
        model: 'large-2026-01-15',
        effective_from: '2026-03-01T00:00:00Z',
        rates: { input: '2.25', output: '9' },
        note: 'Contract of March',
      },
    },
    precondition: 'absence',
    answer: created('The rule.', priceRuleSchema),
    handle: async ({ services, caller, body, expected }) => {
      const rule = toPriceRule(body, services.clock.now())
      return (await services.prices()).setRule(rule, toActor(caller), expected)
    },
  }),
  defineRoute('DELETE /v1/prices/rules/{id}', {
    name: 'deletePriceRule',
    summary: "Take one of the operator's prices away",
    description: 'A rule of the configuration can only be removed there.',
    access: withScope('write:prices'),
    sight: 'company',
    id: {
      noun: 'rule',
      list: '/v1/prices/rules',
      description: 'The id of a rule, `price_…`.',
      example: PRICE_RULE_ID_EXAMPLE,
    },
    answer: ok('The rule as it was.', priceRuleSchema),
    handle: async ({ services, caller, id, missing }) =>
      (await (await services.prices()).removeRule(id, toActor(caller))) ?? missing(),
  }),
  defineRoute('GET /v1/prices/missing', {
    name: 'listMissingPrices',
    summary: 'Models that ran and whose cost is not known',
    access: withScope('read:usage'),
    sight: 'company',
    answer: ok('The models.', missingPriceListSchema),
    handle: async ({ services }) => {
      // The usual case, in which price data need not be loaded.
      if ((await services.usage.upkeep.listUnpriced()).length === 0) return { rows: [] }
      return { rows: [...(await (await services.prices()).listMissing())] }
    },
  }),
]

function toPriceRule(given: z.output<typeof newPriceRuleSchema>, nowMs: number): NewPriceRule {
  const { provider, model, tier, effective_from: from, rates, multiplier, note } = given
  assert(rates !== undefined || multiplier !== undefined, 'a price that was checked is none')
  return {
    provider,
    model: model.toLowerCase(),
    tier: tier?.toLowerCase() ?? null,
    effectiveFrom: from === undefined ? nowMs : Date.parse(from),
    price:
      multiplier === undefined
        ? { kind: 'rates', rates: rates ?? {} }
        : { kind: 'multiplier', factor: multiplier },
    note: note ?? null,
  }
}
