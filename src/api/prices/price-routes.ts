// Prices over HTTP. Nothing is priced here; the price admin is asked.

import type { z } from 'zod'
import { assert } from '../../core/assert.ts'
import { hasScope } from '../../core/api-key.ts'
import { toActor } from '../../core/caller.ts'
import type { Caller } from '../../core/caller.ts'
import type { NewPriceRule } from '../../core/price-rule.ts'
import { withScope } from '../access.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { error } from '../route-answers.ts'
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
  priceUpdateAnswerSchema,
  priceUpdateRequestSchema,
  PRICES_LIMIT_DEFAULT,
  repriceOutcomeSchema,
  repriceRequestSchema,
} from './price-contract.ts'
import type { RepriceAnswer, RepriceOutcome } from './price-contract.ts'
import type { RepriceQuestion } from './price-admin.ts'

const defineRoute = routesOf('Prices')

export const PRICE_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/prices', {
    name: 'listPrices',
    summary: 'What every model costs now',
    description:
      "At the ordinary tier, by provider and name; the operator's rules are in it. Pages follow each other by next_cursor until it is null.",
    access: withScope('read:usage'),
    query: priceParametersSchema,
    answer: ok('A page of models.', pricePageSchema),
    handle: async ({ services, query }) => {
      const { provider, limit = PRICES_LIMIT_DEFAULT, cursor = '0' } = query
      const sought = query.search?.toLowerCase()
      const admin = await services.prices()
      const models = (await admin.listModels()).filter(
        (each) =>
          (provider === undefined || each.provider === provider) &&
          (sought === undefined || each.model.toLowerCase().includes(sought)),
      )
      const from = Number(cursor)
      const to = from + limit
      return {
        rows: models.slice(from, to),
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
    query: priceHistoryParametersSchema,
    answer: ok('The prices.', priceHistorySchema),
    handle: async ({ services, query }) => (await services.prices()).readHistory(query),
  }),
  defineRoute('GET /v1/prices/rules', {
    name: 'listPriceRules',
    summary: "The operator's own prices",
    description: 'Those made here or by the command line, and those of the configuration.',
    access: withScope('read:usage'),
    answer: ok('The rules.', priceRuleListSchema),
    handle: async ({ services }) => ({ rows: [...(await (await services.prices()).listRules())] }),
  }),
  defineRoute('POST /v1/prices/rules', {
    name: 'createPriceRule',
    summary: 'Give a model a price, or a factor on the listed one',
    description:
      'Either rates, as decimal texts in USD per million tokens or per unit, or a multiplier. Rates without a tier are for the standard one, and for the others by the ratio of their listed prices. A rule for the same provider, model, tier and moment takes the place of the one that was there. Calls that are recorded already keep the cost they have.',
    access: withScope('write:prices'),
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
    answer: ok('The models.', missingPriceListSchema),
    handle: async ({ services }) => {
      // The usual case, in which price data need not be loaded.
      if ((await services.usage.upkeep.listUnpriced()).length === 0) return { rows: [] }
      return { rows: [...(await (await services.prices()).listMissing())] }
    },
  }),
  defineRoute('POST /v1/prices/update', {
    name: 'updatePrices',
    summary: 'Fetch newer price data, and apply it',
    description:
      'From prices.updateUrl. With check it shows what would change and changes nothing. What looks like a mistake is applied only with force. A fetch that failed is a result, too, and changes nothing. One at a time.',
    access: withScope('write:prices'),
    body: { schema: priceUpdateRequestSchema, example: { check: true } },
    answer: ok('What changes, or has changed.', priceUpdateAnswerSchema),
    answers: {
      409: error('`conflict`: another update is not done yet, or the data is not that version.', {
        error: 'The published price data has changed since it was checked. Check again.',
        code: 'conflict',
      }),
    },
    handle: async ({ services, caller, body }) => {
      const answer = await (await services.prices()).update(body, toActor(caller))
      return hasScope(caller, 'read:usage') ? answer : { ...answer, impact: null }
    },
  }),
  defineRoute('POST /v1/prices/reprice', {
    name: 'reprice',
    summary: 'Reprice recorded calls',
    description:
      'By the prices of the moment at which each call ended. Without apply it looks and changes nothing. What a provider stated itself stays. One run at a time; it may take minutes. Without scope read:usage all but applied is null, without read:keys by_key is.',
    access: withScope('write:prices'),
    body: { schema: repriceRequestSchema, example: { from: '2026-03-01', all: true } },
    answer: ok('What changes, or has changed.', repriceOutcomeSchema),
    answers: {
      409: error('`conflict`: another run is not done yet.', {
        error: 'Calls are being repriced already, one run at a time. Try again when it is done.',
        code: 'conflict',
      }),
    },
    handle: async ({ services, caller, body }) => {
      const admin = await services.prices()
      return toShownOutcome(await admin.reprice(toRepriceQuestion(body), toActor(caller)), caller)
    },
  }),
]

/** Calls and costs are usage; which keys made them, a matter of keys as well. */
function toShownOutcome(answer: RepriceAnswer, caller: Caller): RepriceOutcome {
  if (!hasScope(caller, 'read:usage')) return { ...NOTHING_SHOWN, applied: answer.applied }
  return hasScope(caller, 'read:keys') ? answer : { ...answer, by_key: null }
}

const NOTHING_SHOWN = {
  calls: null,
  before_usd: null,
  after_usd: null,
  difference_usd: null,
  by_key: null,
  by_model: null,
  unpriced: null,
  kept: null,
}

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

function toRepriceQuestion(given: z.output<typeof repriceRequestSchema>): RepriceQuestion {
  const { provider, model, api_key: keyId, from, to, all = false, apply = false } = given
  if (from !== undefined && to !== undefined && from >= to) {
    throw invalidParameter('The body is refused: from must be before to, which is left out itself.')
  }
  return {
    fromMs: from ?? null,
    toMs: to ?? null,
    keyId: keyId ?? null,
    provider: provider ?? null,
    model: model ?? null,
    isAll: all,
    isApplied: apply,
  }
}
