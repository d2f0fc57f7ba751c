// Prices over HTTP: the catalogue, a model's history, the operator's rules, what has no price, and pricing anew. Must stay
// true: nothing is priced here; the book that the calls are priced by is asked.

import type { Context } from 'hono'
import type { z } from 'zod'
import { toActor } from '../../core/caller.ts'
import type { NewPriceRule } from '../../core/price-rule.ts'
import { assert } from '../../core/assert.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import {
  newPriceRuleSchema,
  priceHistoryParametersSchema,
  priceParametersSchema,
  PRICES_LIMIT_DEFAULT,
  repriceRequestSchema,
} from '../contract.ts'
import type { MissingPriceList, PricePage, PriceRuleList } from '../contract.ts'
import { readBody } from '../parse-body.ts'
import { invalidParameter, parseParameters, refuseParameters } from '../parse-parameters.ts'
import type { RepriceQuestion } from './price-desk.ts'

export async function answerPrices(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:usage')
  const { searchParams } = new URL(context.req.url)
  const question = parseParameters(searchParams, priceParametersSchema)
  const { provider, limit = PRICES_LIMIT_DEFAULT, cursor = '0' } = question
  const sought = question.search?.toLowerCase()
  const desk = await options.prices()
  const models = (await desk.listModels()).filter(
    (each) =>
      (provider === undefined || each.provider === provider) &&
      (sought === undefined || each.model.toLowerCase().includes(sought)),
  )
  const from = Number(cursor)
  const to = from + limit
  const answer: PricePage = {
    rows: models.slice(from, to),
    total: models.length,
    next_cursor: to < models.length ? String(to) : null,
    price_data: await desk.readData(),
  }
  return context.json(answer)
}

export async function answerPriceHistory(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:usage')
  const { searchParams } = new URL(context.req.url)
  const subject = parseParameters(searchParams, priceHistoryParametersSchema)
  return context.json(await (await options.prices()).readHistory(subject))
}

export async function answerPriceRules(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const answer: PriceRuleList = { rows: [...(await (await options.prices()).listRules())] }
  return context.json(answer)
}

export async function answerNewPriceRule(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:prices')
  refuseParameters(new URL(context.req.url).searchParams)
  const rule = toPriceRule(await readBody(context, newPriceRuleSchema), options.clock.now())
  return context.json(await (await options.prices()).setRule(rule, toActor(caller)), 201)
}

/** Answers with the rule as it was. */
export async function answerPriceRuleEnd(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:prices')
  refuseParameters(new URL(context.req.url).searchParams)
  const id = context.req.param('id') ?? ''
  return context.json(await (await options.prices()).removeRule(id, toActor(caller)))
}

export async function answerMissingPrices(
  context: Context,
  options: ApiOptions,
): Promise<Response> {
  await authorize(context, options, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const answer: MissingPriceList = { rows: [...(await (await options.prices()).listMissing())] }
  return context.json(answer)
}

export async function answerReprice(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'write:prices')
  refuseParameters(new URL(context.req.url).searchParams)
  const question = toRepriceQuestion(await readBody(context, repriceRequestSchema))
  return context.json(await (await options.prices()).reprice(question, toActor(caller)))
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

/** Throws `invalid_parameter` where the time is none. */
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
