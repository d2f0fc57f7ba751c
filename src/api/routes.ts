// All that the API's port serves: the declared routes, /mcp and the console.

import { Hono } from 'hono'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { CLAUDE_BASE } from '../core/agents/agent-relay.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { createSignInAttempts } from '../accounts/sign-in-attempts.ts'
import { createOidcLoader } from './accounts/oidc-routes.ts'
import { createSessionCheck } from './accounts/session-check.ts'
import { addRoutes, notAllowed } from './add-routes.ts'
import { answerError, errorResponse } from './answer-error.ts'
import type { ApiOptions, ApiServices } from './api-options.ts'
import { API_ROUTES } from './api-routes.ts'
import { createClientAddress } from './client-address.ts'
import { compressAnswers } from './compress-answers.ts'
import { REQUESTS_PER_MINUTE_MAX } from './contract.ts'
import { createExportSlots, EXPORT_LIMITS } from './exports/export-slots.ts'
import { createHostCheck, createOriginCheck } from './host-check.ts'
import { createKeyDirectory } from './keys/key-directory.ts'
import { createAsking } from './questions/create-asking.ts'
import { createRateLimit } from './rate-limit.ts'
import { SCIM_ACCESS, SCIM_REQUESTS_PER_MINUTE_MAX } from './scim/scim-limits.ts'
import { createOpenApiDocument } from './reference/openapi.ts'
import { createSecurityHeaders, listSecurityHeaders } from './security-headers.ts'
import { addConsoleFiles } from './service/console-files.ts'
import { createServiceFigures } from './service/service-figures.ts'
import { createSilentNodes, createSilentNodesHeader, FIGURE_PATHS } from './service/silent-nodes.ts'
import { createTeamDirectory } from './teams/team-directory.ts'
import { createUsageSnapshots } from './usage/usage-snapshots.ts'

/** Per session; the contract's limit is per token. */
export const SESSION_REQUESTS_PER_MINUTE_MAX = 600

export function createRoutes(options: ApiOptions): Hono {
  const app = new Hono()
  const services = createServices(options)
  app.onError((error, context) =>
    answerError(error, {
      method: context.req.method,
      route: routePath(context),
      log: options.log,
    }),
  )
  const { publicUrl } = options.signIn
  app.use('*', createSecurityHeaders(listSecurityHeaders(publicUrl)))
  app.use('*', createHostCheck({ hosts: options.hosts ?? null, publicUrl }))
  app.use('/v1/*', async (context, next) => {
    await next()
    if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
  })
  app.use('/v1/*', compressAnswers)
  app.use('/v1/*', createSessionCheck(services))
  const nameSilent = createSilentNodesHeader(services.silentNodes)
  for (const path of FIGURE_PATHS) app.use(`${path}/*`, nameSilent)
  addRoutes(app, API_ROUTES, services)
  app.use('/mcp', createOriginCheck(publicUrl))
  app.post(
    '/mcp',
    // Loaded on first use: the protocol's library takes a fifth of a second.
    async (context) => (await import('./mcp/mcp.ts')).answerMcp(context, services),
  )
  app.all('/mcp', () => notAllowed('POST'))
  app.use('/scim/v2/*', SCIM_ACCESS.around)
  app.all('/scim/v2/*', async (context) =>
    (await import('./scim/scim.ts')).answerScim(context, services),
  )
  const { agents } = options
  if (agents !== undefined) {
    const answer = async (context: Context): Promise<Response> =>
      (await import('./agents/answer-claude.ts')).answerClaude(context, services, agents)
    app.all(CLAUDE_BASE, answer)
    app.all(`${CLAUDE_BASE}/*`, answer)
  }
  // Refused agents look here for another way to sign in; a page of the console would mislead them.
  app.all('/.well-known/*', () => errorResponse('not_found', 'There is nothing here.'))
  app.all('/v1/*', () => errorResponse('not_found', 'There is no such path. See /v1/reference.'))
  addConsoleFiles(app, options.consoleDir)
  app.all('*', () => notAllowed('GET, HEAD'))
  return app
}

function createServices(options: ApiOptions): ApiServices {
  const { settings, clock, info } = options
  let document: string | null = null
  return {
    ...options,
    ...createAsking(options),
    sight: null,
    keyDirectory: createKeyDirectory(settings),
    teamDirectory: createTeamDirectory(settings),
    usageSnapshots: createUsageSnapshots({ ...options, snapshots: settings.snapshots }),
    serviceFigures: createServiceFigures(options),
    silentNodes: createSilentNodes(options),
    rateLimit: createRateLimit('token', REQUESTS_PER_MINUTE_MAX, settings.counters),
    logRateLimit: createRateLimit('token log', REQUESTS_PER_MINUTE_MAX, settings.counters),
    scimRateLimit: createRateLimit('scim', SCIM_REQUESTS_PER_MINUTE_MAX, settings.counters),
    sessionRateLimit: createRateLimit(
      'session',
      SESSION_REQUESTS_PER_MINUTE_MAX,
      settings.counters,
    ),
    clientAddress: createClientAddress(options.trustedProxies ?? null),
    signInAttempts: createSignInAttempts(settings.counters),
    passwords: createPasswords(options.passwordCost),
    exportSlots: createExportSlots(EXPORT_LIMITS.atOnceMax),
    loadOidcClient: createOidcLoader(clock),
    readDocument: () =>
      (document ??= JSON.stringify(createOpenApiDocument(info.version, API_ROUTES))),
  }
}
