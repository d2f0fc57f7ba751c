// The API's routes. Must stay true: every path is listed here, with its methods; everything else is the console's or
// is not there.

import { Hono } from 'hono'
import type { Context, Handler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import { WeirError } from '../core/weir-error.ts'
import { answerAlerts } from './answer-alerts.ts'
import {
  answerBudget,
  answerBudgetChange,
  answerBudgetEnd,
  answerBudgets,
  answerBudgetTarget,
  answerNewBudget,
} from './answer-budgets.ts'
import { answerCompleteness } from './answer-completeness.ts'
import { answerError, errorResponse } from './answer-error.ts'
import { answerExport } from './answer-export.ts'
import { createReference } from './answer-reference.ts'
import { answerRequest } from './answer-request.ts'
import { answerRequests } from './answer-requests.ts'
import {
  answerNewTarget,
  answerTargetEnd,
  answerTargets,
  answerTargetTest,
} from './answer-targets.ts'
import { answerUsage, tellRate } from './answer-usage.ts'
import type { ApiInfo, ApiOptions, ApiServices } from './api-options.ts'
import { addConsoleFiles } from './console-files.ts'
import { REQUESTS_PER_MINUTE_MAX, setupRequestSchema } from './contract.ts'
import type { ServiceInfo, SetupAnswer } from './contract.ts'
import { createRateLimit } from './rate-limit.ts'
import { createUsageSnapshots } from './usage-snapshots.ts'

export const SETUP_BODY_BYTES_MAX = 4096
export const MCP_BODY_BYTES_MAX = 65_536

// The version of the Prometheus text format, not ours.
const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function createRoutes(options: ApiOptions): Hono {
  const app = new Hono()
  const services: ApiServices = {
    ...options,
    usageSnapshots: createUsageSnapshots({ ...options, snapshots: options.settings.snapshots }),
    rateLimit: createRateLimit(REQUESTS_PER_MINUTE_MAX, options.clock),
  }
  app.onError((error, context) =>
    answerError(error, {
      method: context.req.method,
      route: routePath(context),
      log: options.log,
    }),
  )
  app.use('/v1/*', async (context, next) => {
    await next()
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
    context.header('X-Content-Type-Options', 'nosniff')
  })
  addGet(app, '/healthz', (context) => context.json({ status: 'ok' }))
  addGet(app, '/readyz', async (context) => {
    const fault = await options.isReady()
    if (fault === null) return context.json({ status: 'ok' })
    return context.json({ status: 'unready', reason: fault }, 503)
  })
  addGet(app, '/metrics', async (context) =>
    context.body(await options.renderMetrics(), 200, { 'Content-Type': METRICS_CONTENT_TYPE }),
  )
  addGet(app, '/v1/info', (context) => context.json(toServiceInfo(options.info)))
  const reference = createReference(options.info.version)
  addGet(app, '/v1/openapi.json', reference.answerDocument)
  addGet(app, '/v1/reference', reference.answerPage)
  app.use('/v1/usage', tellRate)
  addGet(app, '/v1/usage', (context) => answerUsage(context, services))
  addGet(app, '/v1/requests', (context) => answerRequests(context, options))
  addGet(app, '/v1/requests/:id', (context) => answerRequest(context, options))
  addGet(app, '/v1/completeness', (context) => answerCompleteness(context, options))
  addGet(app, '/v1/exports/usage.csv', (context) => answerExport(context, options, 'usage'))
  addGet(app, '/v1/exports/focus.csv', (context) => answerExport(context, options, 'focus'))
  addBudgetPaths(app, options)
  app.post(
    '/v1/setup',
    bodyLimit({
      maxSize: SETUP_BODY_BYTES_MAX,
      onError: () => errorResponse('body_too_large', `At most ${SETUP_BODY_BYTES_MAX} bytes.`),
    }),
    (context) => answerSetup(context, options),
  )
  app.all('/v1/setup', () => notAllowed('POST'))
  app.post(
    '/mcp',
    bodyLimit({
      maxSize: MCP_BODY_BYTES_MAX,
      onError: () => errorResponse('body_too_large', `At most ${MCP_BODY_BYTES_MAX} bytes.`),
    }),
    // Loaded by the first agent that comes: the protocol's library is a fifth of a second's work.
    async (context) => (await import('./mcp.ts')).answerMcp(context, services),
  )
  app.all('/mcp', () => notAllowed('POST'))
  // Agents that are refused look here for another way to sign in. A page of the console would mislead them.
  app.all('/.well-known/*', () => errorResponse('not_found', 'There is nothing here.'))
  app.all('/v1/*', () => errorResponse('not_found', 'There is no such path. See /v1/reference.'))
  addConsoleFiles(app, options.consoleDir)
  app.all('*', () => notAllowed('GET, HEAD'))
  return app
}

function toServiceInfo({ version, proxyUrl, providers }: ApiInfo): ServiceInfo {
  return { version, proxy_url: proxyUrl, providers: [...providers] }
}

function addBudgetPaths(app: Hono, options: ApiOptions): void {
  const by = (answer: Answer) => (context: Context) => answer(context, options)
  addPath(app, '/v1/budgets', { GET: by(answerBudgets), POST: by(answerNewBudget) })
  addPath(app, '/v1/budgets/:id', {
    GET: by(answerBudget),
    PATCH: by(answerBudgetChange),
    DELETE: by(answerBudgetEnd),
  })
  addPath(app, '/v1/budgets/:id/targets', { POST: by(answerBudgetTarget) })
  addPath(app, '/v1/targets', { GET: by(answerTargets), POST: by(answerNewTarget) })
  addPath(app, '/v1/targets/:id', { DELETE: by(answerTargetEnd) })
  addPath(app, '/v1/targets/:id/test', { POST: by(answerTargetTest) })
  addPath(app, '/v1/alerts', { GET: by(answerAlerts) })
}

type Answer = (context: Context, options: ApiOptions) => Promise<Response>

function addGet(app: Hono, path: string, handler: Handler): void {
  addPath(app, path, { GET: handler })
}

/** Hono answers HEAD by the route of GET. */
function addPath(app: Hono, path: string, handlers: Readonly<Record<string, Handler>>): void {
  for (const [method, handler] of Object.entries(handlers)) app.on(method, path, handler)
  const allow = Object.keys(handlers).map((method) => (method === 'GET' ? 'GET, HEAD' : method))
  app.all(path, () => notAllowed(allow.join(', ')))
}

function notAllowed(allow: string): Response {
  return errorResponse('method_not_allowed', `This path takes ${allow} only.`, { Allow: allow })
}

async function answerSetup(context: Context, options: ApiOptions): Promise<Response> {
  const request = setupRequestSchema.safeParse(parseJson(await context.req.text()))
  if (!request.success) {
    throw new WeirError('invalid_parameter', 'The body must be JSON, {"code": "…"}, nothing else.')
  }
  const created = await options.settings.redeemSetupCode(request.data.code)
  if (created === null) {
    throw new WeirError('unauthorized', 'This code is wrong or was used already.', {
      hint: 'Make a token on the machine itself: weir tokens create --name admin --scope admin',
    })
  }
  const answer: SetupAnswer = {
    id: created.token.id,
    token: created.credential,
    scopes: [...created.token.scopes],
  }
  return context.json(answer, 201)
}

/** Undefined where it is none: no schema takes that. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
