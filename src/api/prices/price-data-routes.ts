// Price data from elsewhere, and recorded calls by newer prices, over HTTP.

import type { z } from 'zod'
import { hasScope } from '../../core/api-key.ts'
import { toActor } from '../../core/caller.ts'
import type { Caller } from '../../core/caller.ts'
import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { error, json } from '../route-answers.ts'
import {
  IMPORT_BODY_BYTES_MAX,
  priceFileSchema,
  priceImportAnswerSchema,
  priceImportRequestSchema,
  removedImportSchema,
} from './import-contract.ts'
import type { RepriceQuestion } from './price-admin.ts'
import {
  priceUpdateAnswerSchema,
  priceUpdateRequestSchema,
  repriceOutcomeSchema,
  repriceRequestSchema,
  repricingListSchema,
} from './price-contract.ts'
import type { RepriceAnswer, RepriceOutcome } from './price-contract.ts'

const defineRoute = routesOf('Prices')

export const PRICE_DATA_ROUTES: readonly ApiRoute[] = [
  defineRoute('POST /v1/prices/update', {
    name: 'updatePrices',
    summary: 'Fetch newer price data, and apply it',
    description:
      'From prices.updateUrl. With check it shows what would change and changes nothing. What looks like a mistake is applied only with force. A fetch that failed is a result, too, and changes nothing. One at a time.',
    access: withScope('write:prices'),
    sight: 'company',
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
      const { report } = answer
      if (report === undefined) return toShown(answer, caller)
      return { ...toShown(answer, caller), report: toShown(report, caller) }
    },
  }),
  defineRoute('POST /v1/prices/import', {
    name: 'importPrices',
    summary: 'Import the listed prices of a file',
    description:
      'With dry_run it shows what would change and changes nothing. What looks like a mistake is imported only with force; else doubts says why, and imported is false. Data with a fault is refused as a whole.',
    access: withScope('write:prices'),
    sight: 'company',
    body: {
      schema: priceImportRequestSchema,
      example: { text: '{ "format": "weir-prices/1", … }', dry_run: true },
      bytesMax: IMPORT_BODY_BYTES_MAX,
    },
    answer: ok('What changes, or has changed.', priceImportAnswerSchema),
    handle: async ({ services, caller, body }) =>
      toShown(await (await services.prices()).importText(body, toActor(caller)), caller),
  }),
  defineRoute('DELETE /v1/prices/imported', {
    name: 'removeImportedPrices',
    summary: 'Take the imported prices away',
    description: 'The bundled ones apply again.',
    access: withScope('write:prices'),
    sight: 'company',
    answer: ok('What was imported.', removedImportSchema),
    answers: { 404: error('`not_found`: nothing was imported.') },
    handle: async ({ services, caller }) =>
      (await services.prices()).removeImported(toActor(caller)),
  }),
  defineRoute('GET /v1/prices/export.json', {
    name: 'exportPrices',
    summary: 'All listed prices as a file',
    description:
      "For another Weir, by its import. With imported data, without the operator's own prices.",
    access: withScope('read:usage'),
    sight: 'company',
    answers: { 200: json('A price file.', priceFileSchema) },
    handle: async ({ services, context }) =>
      context.body(await (await services.prices()).exportText(), 200, {
        'Content-Type': 'application/json; charset=utf-8',
      }),
  }),
  defineRoute('POST /v1/prices/reprice', {
    name: 'reprice',
    summary: 'Reprice recorded calls',
    description:
      'By the prices of the moment at which each call ended. Without apply it looks and changes nothing. What a provider stated itself stays. One run at a time; it may take minutes. Without scope read:usage all but applied is null, without read:keys by_key is.',
    access: withScope('write:prices'),
    sight: 'company',
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
  defineRoute('GET /v1/prices/repricings', {
    name: 'listRepricings',
    summary: 'Who repriced what, when, and by how much',
    description: 'The last hundred.',
    access: withScope('admin'),
    sight: 'company',
    answer: ok('The repricings.', repricingListSchema),
    handle: async ({ services }) => ({
      rows: [...(await (await services.prices()).listRepricings())],
    }),
  }),
]

/** What calls cost is usage. */
function toShown<Answer extends { readonly impact: unknown }>(answer: Answer, caller: Caller) {
  return hasScope(caller, 'read:usage') ? answer : { ...answer, impact: null }
}

/** Calls and costs are usage; which keys made them, a matter of keys as well. */
function toShownOutcome(answer: RepriceAnswer, caller: Caller): RepriceOutcome {
  if (!hasScope(caller, 'read:usage')) return { ...NOTHING_SHOWN, applied: answer.applied }
  return hasScope(caller, 'read:keys') ? answer : { ...answer, by_key: null }
}

const NOTHING_SHOWN = {
  checked: null,
  repricing: null,
  calls: null,
  before_usd: null,
  after_usd: null,
  difference_usd: null,
  by_key: null,
  by_model: null,
  unpriced: null,
  kept: null,
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
