// The OpenAPI 3.1 document, generated from the routes' declarations. Must stay true: it lists
// exactly what a path can answer (test/usage-api/generated-inputs.test.ts).

import { OpenAPIHono } from '@hono/zod-openapi'
import type { RouteConfig } from '@hono/zod-openapi'
import { SESSION_COOKIE } from '../accounts/session-cookie.ts'
import type { ApiRoute } from '../define-route.ts'
import { SESSION_SECURITY, TOKEN_SECURITY } from '../access.ts'
import { METHOD_NOT_ALLOWED } from '../route-answers.ts'

const DESCRIPTION = `Who spent what on AI providers.

Figures need an access token: \`Authorization: Bearer svc_agt_…\`. Create one with \`weir tokens create --name me --scope read:usage\`.

The console sends the cookie of its session instead. Behind it stand the scopes of the user's role; a change is then taken from a page of our own only (403 \`cross_site\` otherwise).

Every error is \`{ "error": "…", "code": "…" }\`: the text is for people, the code for programs. HEAD works wherever GET does. A path below /v1 that is not listed here is 404 \`not_found\`, \
another method 405 \`method_not_allowed\`, a request without a valid address or Host header 400 \`bad_request\`, and one for a host that is not this Weir's 421 \`misdirected_request\` (but for /healthz, /readyz and /metrics). Only what cannot be read as HTTP, or has too large a head, is refused without a body (400, 408, 431).

Agents ask the same questions by the Model Context Protocol, at \`/mcp\` on the same port.

Within /v1 names are added and never changed: take no notice of members you do not know.`

const TAGS = [
  { name: 'Usage', description: 'Cost, requests and tokens as rows.' },
  { name: 'Exports', description: 'The same figures as files.' },
  { name: 'Requests', description: 'Single calls, and whether all of them are on record.' },
  { name: 'Sessions', description: 'Sessions of coding agents, and who runs them.' },
  { name: 'Budgets', description: 'Limits on spend, whom their alerts go to, and what was sent.' },
  { name: 'Sign-in', description: 'How people get into the console.' },
  { name: 'Users', description: 'Who may, and who changed what.' },
  { name: 'Saved views', description: 'Questions of the console under a name.' },
  { name: 'Keys', description: 'API keys, what they may do, and access tokens.' },
  { name: 'Teams', description: 'Whose keys they are, who is in them, and their limits.' },
  { name: 'Asks', description: 'Asking for more than a limit.' },
  { name: 'Prices', description: 'What models cost, and repricing what is recorded.' },
  { name: 'Service', description: 'About Weir itself.' },
]

export function createOpenApiDocument(version: string, routes: readonly ApiRoute[]): object {
  const configs = routes.map(({ describe }) => describe())
  const documented = new OpenAPIHono()
  documented.openAPIRegistry.registerComponent('securitySchemes', TOKEN_SECURITY, {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token, svc_agt_….',
  })
  documented.openAPIRegistry.registerComponent('securitySchemes', SESSION_SECURITY, {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The cookie of a user who has signed in to the console.',
  })
  for (const route of configs) {
    documented.openAPIRegistry.registerPath({
      ...route,
      responses: { ...route.responses, ...METHOD_NOT_ALLOWED },
    })
    if (route.method === 'get') documented.openAPIRegistry.registerPath(toHead(route))
  }
  const used = new Set(configs.flatMap(({ tags = [] }) => tags))
  return documented.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Weir', version, description: DESCRIPTION },
    servers: [{ url: '/', description: 'Where this document was read.' }],
    tags: TAGS.filter(({ name }) => used.has(name)),
  })
}

type RouteAnswer = Exclude<RouteConfig['responses'][string], { $ref: string }>

/** As GET, without the body. */
function toHead({ operationId = '', summary = '', responses, ...route }: RouteConfig): RouteConfig {
  const answers = Object.entries(responses).map(([status, answer]) => {
    const { description, headers } = answer as RouteAnswer
    return [status, { description, ...(headers === undefined ? {} : { headers }) }]
  })
  return {
    ...route,
    method: 'head',
    operationId: `${operationId}Head`,
    summary: `${summary}: the head alone`,
    responses: Object.fromEntries(answers) as RouteConfig['responses'],
  }
}
