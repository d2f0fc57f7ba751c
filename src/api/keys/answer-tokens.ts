// Access tokens over HTTP: listed, made, revoked. Must stay true: a token's secret is in the one answer that makes it,
// and only who may do everything makes tokens, so nobody comes to more than they have.

import type { Context } from 'hono'
import { toActor } from '../../core/caller.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { newTokenSchema } from '../contract.ts'
import type { CreatedTokenAnswer, TokenList } from '../contract.ts'
import { toTokenAnswer } from './key-row.ts'
import { readBody } from '../parse-body.ts'
import { toTokenSettings } from './parse-key.ts'
import { refuseParameters } from '../parse-parameters.ts'

export async function answerTokens(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'admin')
  refuseParameters(new URL(context.req.url).searchParams)
  const nowMs = options.clock.now()
  const tokens = await options.settings.tokens.list()
  const answer: TokenList = { rows: tokens.map((token) => toTokenAnswer(token, nowMs)) }
  return context.json(answer)
}

export async function answerNewToken(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'admin')
  refuseParameters(new URL(context.req.url).searchParams)
  const nowMs = options.clock.now()
  const settings = toTokenSettings(await readBody(context, newTokenSchema), nowMs)
  const made = await options.settings.as(toActor(caller)).tokens.create(settings)
  const answer: CreatedTokenAnswer = {
    ...toTokenAnswer(made.token, nowMs),
    token: made.credential,
  }
  return context.json(answer, 201)
}

export async function answerTokenEnd(context: Context, options: ApiOptions): Promise<Response> {
  const caller = await authorize(context, options, 'admin')
  refuseParameters(new URL(context.req.url).searchParams)
  const id = context.req.param('id') ?? ''
  const token = await options.settings.as(toActor(caller)).tokens.revoke(id)
  if (token === null) {
    throw new WeirError('not_found', 'There is no such token.', {
      hint: 'GET /v1/tokens lists them.',
    })
  }
  return context.json(toTokenAnswer(token, options.clock.now()))
}
