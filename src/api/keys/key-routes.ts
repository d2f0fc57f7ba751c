// The paths of keys and tokens, and those of prices.

import type { Context, Hono } from 'hono'
import { addPath } from '../add-path.ts'
import {
  answerKey,
  answerKeyChange,
  answerKeyCheck,
  answerKeyEnd,
  answerKeyRotation,
  answerKeys,
  answerNewKey,
} from './answer-keys.ts'
import {
  answerMissingPrices,
  answerNewPriceRule,
  answerPriceHistory,
  answerPriceRuleEnd,
  answerPriceRules,
  answerPrices,
  answerReprice,
} from '../prices/answer-prices.ts'
import { answerNewToken, answerTokenEnd, answerTokens } from './answer-tokens.ts'
import type { ApiOptions, ApiServices } from '../api-options.ts'

type Answer = (context: Context, services: ApiServices) => Promise<Response>

export function addKeyPaths(app: Hono, services: ApiServices): void {
  const by = (answer: Answer) => (context: Context) => answer(context, services)
  addPath(app, '/v1/keys', { GET: by(answerKeys), POST: by(answerNewKey) })
  // Before the path of one key, or it would be taken for a key's id.
  addPath(app, '/v1/keys/check', { POST: by(answerKeyCheck) })
  addPath(app, '/v1/keys/:id', { GET: by(answerKey), PATCH: by(answerKeyChange) })
  addPath(app, '/v1/keys/:id/rotate', { POST: by(answerKeyRotation) })
  addPath(app, '/v1/keys/:id/revoke', { POST: by(answerKeyEnd) })
  addPath(app, '/v1/tokens', { GET: by(answerTokens), POST: by(answerNewToken) })
  addPath(app, '/v1/tokens/:id/revoke', { POST: by(answerTokenEnd) })
}

export function addPricePaths(app: Hono, options: ApiOptions): void {
  const by =
    (answer: (context: Context, options: ApiOptions) => Promise<Response>) => (context: Context) =>
      answer(context, options)
  addPath(app, '/v1/prices', { GET: by(answerPrices) })
  addPath(app, '/v1/prices/history', { GET: by(answerPriceHistory) })
  addPath(app, '/v1/prices/rules', { GET: by(answerPriceRules), POST: by(answerNewPriceRule) })
  addPath(app, '/v1/prices/rules/:id', { DELETE: by(answerPriceRuleEnd) })
  addPath(app, '/v1/prices/missing', { GET: by(answerMissingPrices) })
  addPath(app, '/v1/prices/reprice', { POST: by(answerReprice) })
}
