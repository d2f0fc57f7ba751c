// Prices in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import {
  missingPriceListSchema,
  newPriceRuleSchema,
  priceHistoryParametersSchema,
  priceHistorySchema,
  pricePageSchema,
  priceParametersSchema,
  priceRuleListSchema,
  priceRuleSchema,
  repriceAnswerSchema,
  repriceRequestSchema,
} from '../contract.ts'
import {
  INVALID,
  jsonBody,
  NEEDS_TOKEN,
  REFUSED,
  UNEXPECTED,
  error,
  json,
} from '../reference/openapi-answers.ts'
import {
  INVALID_RULE_EXAMPLE,
  MISSING_PRICE_EXAMPLE,
  NEW_PRICE_RULE_EXAMPLE,
  PRICE_HISTORY_EXAMPLE,
  PRICE_PAGE_EXAMPLE,
  PRICE_RULE_EXAMPLE,
  REPRICE_CONFLICT_EXAMPLE,
  REPRICE_EXAMPLE,
  REPRICE_REQUEST_EXAMPLE,
} from './openapi-price-examples.ts'

const READS = 'Needs a token with scope read:usage.'
const WRITES = 'Needs a token with scope write:prices.'

const FAULTS = { ...INVALID, ...REFUSED, ...UNEXPECTED }

const BODY_FAULTS = {
  ...FAULTS,
  400: error(
    '`invalid_parameter`: the text names all that is wrong and what is allowed.',
    INVALID_RULE_EXAMPLE,
  ),
  413: error('`body_too_large`: more than 64 KiB.'),
}

/** What all of them have in common. */
function toRoute(route: Omit<RouteConfig, 'tags' | 'security'>): RouteConfig {
  return { ...route, tags: ['Prices'], security: NEEDS_TOKEN }
}

export const PRICE_ROUTES: readonly RouteConfig[] = [
  toRoute({
    method: 'get',
    path: '/v1/prices',
    operationId: 'listPrices',
    summary: 'What every model costs now',
    description: `${READS} At the ordinary tier, by provider and name; the operator's rules are in it. Pages follow each other by next_cursor until it is null.`,
    request: { query: priceParametersSchema },
    responses: { 200: json('A page of models.', pricePageSchema, PRICE_PAGE_EXAMPLE), ...FAULTS },
  }),
  toRoute({
    method: 'get',
    path: '/v1/prices/history',
    operationId: 'getPriceHistory',
    summary: 'What a model has cost, costs, and is known to cost, tier by tier',
    description: `${READS} A model without a price has no periods.`,
    request: { query: priceHistoryParametersSchema },
    responses: { 200: json('The prices.', priceHistorySchema, PRICE_HISTORY_EXAMPLE), ...FAULTS },
  }),
  toRoute({
    method: 'get',
    path: '/v1/prices/rules',
    operationId: 'listPriceRules',
    summary: "The operator's own prices",
    description: `${READS} Those made here or by the command line, and those of the configuration.`,
    responses: {
      200: json('The rules.', priceRuleListSchema, { rows: [PRICE_RULE_EXAMPLE] }),
      ...FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/prices/rules',
    operationId: 'createPriceRule',
    summary: 'Give a model a price, or a factor on the listed one',
    description: `${WRITES} Either rates, as decimal texts in USD a million tokens or apiece, or a multiplier. A rule for the same provider, model, tier and moment takes the place of the one that was there. Calls that are recorded already keep the cost they have.`,
    request: jsonBody(newPriceRuleSchema, NEW_PRICE_RULE_EXAMPLE),
    responses: {
      201: json('The rule.', priceRuleSchema, PRICE_RULE_EXAMPLE),
      ...BODY_FAULTS,
    },
  }),
  toRoute({
    method: 'delete',
    path: '/v1/prices/rules/{id}',
    operationId: 'deletePriceRule',
    summary: "Take one of the operator's prices away",
    description: `${WRITES} A rule of the configuration can only be removed there.`,
    request: {
      params: z.object({
        id: z
          .string()
          .meta({ description: 'The id of a rule, `price_…`.', example: PRICE_RULE_EXAMPLE.id }),
      }),
    },
    responses: {
      200: json('The rule as it was.', priceRuleSchema, PRICE_RULE_EXAMPLE),
      ...FAULTS,
      404: error('`not_found`: there is no such rule.'),
    },
  }),
  toRoute({
    method: 'get',
    path: '/v1/prices/missing',
    operationId: 'listMissingPrices',
    summary: 'Models that ran and whose cost is not known',
    description: READS,
    responses: {
      200: json('The models.', missingPriceListSchema, { rows: [MISSING_PRICE_EXAMPLE] }),
      ...FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/prices/reprice',
    operationId: 'reprice',
    summary: 'Price recorded calls anew',
    description: `${WRITES} By the prices of the moment at which each call ended. Without apply it looks and changes nothing. What a provider stated itself stays. One run at a time; it may take minutes.`,
    request: jsonBody(repriceRequestSchema, REPRICE_REQUEST_EXAMPLE),
    responses: {
      200: json('What changes, or has changed.', repriceAnswerSchema, REPRICE_EXAMPLE),
      ...BODY_FAULTS,
      409: error('`conflict`: another run is not done yet.', REPRICE_CONFLICT_EXAMPLE),
    },
  }),
]
