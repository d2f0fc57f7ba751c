// The API's routes. Must stay true: every path is listed here, with its methods; everything else is the console's or
// is not there.

import { Hono } from 'hono'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { routePath } from 'hono/route'
import { addAccountPaths } from './accounts/account-routes.ts'
import { addGet, addPath, notAllowed } from './add-path.ts'
import { answerAlerts } from './budgets/answer-alerts.ts'
import {
  answerBudget,
  answerBudgetChange,
  answerBudgetEnd,
  answerBudgets,
  answerBudgetTarget,
  answerNewBudget,
} from './budgets/answer-budgets.ts'
import { answerCompleteness } from './service/answer-completeness.ts'
import { answerError, errorResponse } from './answer-error.ts'
import { answerExport } from './exports/answer-export.ts'
import { answerOverview } from './usage/answer-overview.ts'
import { createReference } from './reference/answer-reference.ts'
import { answerRequest } from './requests/answer-request.ts'
import { answerRequests } from './requests/answer-requests.ts'
import { answerService } from './service/answer-service.ts'
import {
  answerNewTarget,
  answerTargetEnd,
  answerTargets,
  answerTargetTest,
} from './budgets/answer-targets.ts'
import { answerUsage, tellRate } from './usage/answer-usage.ts'
import type { ApiInfo, ApiOptions, ApiServices } from './api-options.ts'
import { addConsoleFiles } from './service/console-files.ts'
import { REQUESTS_PER_MINUTE_MAX } from './contract.ts'
import type { ServiceInfo } from './contract.ts'
import { createKeyDirectory } from './keys/key-directory.ts'
import { addKeyPaths, addPricePaths } from './keys/key-routes.ts'
import { createRateLimit } from './rate-limit.ts'
import { createSecurityHeaders, listSecurityHeaders } from './security-headers.ts'
import { createSessionGate } from './accounts/session-gate.ts'
import { createSignInAttempts } from '../accounts/sign-in-attempts.ts'
import { createServiceFigures } from './service/service-figures.ts'
import { createUsageSnapshots } from './usage/usage-snapshots.ts'

export const MCP_BODY_BYTES_MAX = 65_536
/** Of a session. The contract's limit is a token's. */
export const SESSION_REQUESTS_PER_MINUTE_MAX = 600

// The version of the Prometheus text format, not ours.
const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function createRoutes(options: ApiOptions): Hono {
  const app = new Hono()
  const services: ApiServices = {
    ...options,
    keyDirectory: createKeyDirectory(options.settings),
    usageSnapshots: createUsageSnapshots({ ...options, snapshots: options.settings.snapshots }),
    serviceFigures: createServiceFigures(options),
    rateLimit: createRateLimit(REQUESTS_PER_MINUTE_MAX, options.clock),
    sessionRateLimit: createRateLimit(SESSION_REQUESTS_PER_MINUTE_MAX, options.clock),
    signInAttempts: createSignInAttempts(options.clock),
  }
  app.onError((error, context) =>
    answerError(error, {
      method: context.req.method,
      route: routePath(context),
      log: options.log,
    }),
  )
  app.use('*', createSecurityHeaders(listSecurityHeaders(options.signIn.publicUrl)))
  app.use('/v1/*', async (context, next) => {
    await next()
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
  })
  app.use('/v1/*', createSessionGate(services))
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
  addGet(app, '/v1/overview', (context) => answerOverview(context, services))
  addGet(app, '/v1/service', (context) => answerService(context, services))
  addGet(app, '/v1/requests', (context) => answerRequests(context, options))
  addGet(app, '/v1/requests/:id', (context) => answerRequest(context, options))
  addGet(app, '/v1/completeness', (context) => answerCompleteness(context, options))
  addGet(app, '/v1/exports/usage.csv', (context) => answerExport(context, options, 'usage'))
  addGet(app, '/v1/exports/focus.csv', (context) => answerExport(context, options, 'focus'))
  addBudgetPaths(app, options)
  addKeyPaths(app, services)
  addPricePaths(app, options)
  addAccountPaths(app, services)
  app.post(
    '/mcp',
    bodyLimit({
      maxSize: MCP_BODY_BYTES_MAX,
      onError: () => errorResponse('body_too_large', `At most ${MCP_BODY_BYTES_MAX} bytes.`),
    }),
    // Loaded by the first agent that comes: the protocol's library is a fifth of a second's work.
    async (context) => (await import('./mcp/mcp.ts')).answerMcp(context, services),
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
