// Signing in, and one's own sessions, in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import type { ZodType } from 'zod'
import {
  passwordChangeSchema,
  sessionListSchema,
  sessionRequestSchema,
  sessionSchema,
  setupRequestSchema,
  signInSchema,
  welcomeRequestSchema,
} from '../contract.ts'
import {
  CROSS_SITE_EXAMPLE,
  PASSWORD_EXAMPLE,
  SESSION_EXAMPLE,
  SESSION_LIST_EXAMPLE,
  SESSION_REQUEST_EXAMPLE,
  SETUP_EXAMPLE,
  SIGN_IN_EXAMPLE,
  SIGN_IN_REFUSED_EXAMPLE,
  TOO_MANY_ATTEMPTS_EXAMPLE,
  WELCOME_EXAMPLE,
} from './openapi-account-examples.ts'
import {
  INVALID,
  NEEDS_SESSION,
  UNAUTHORIZED,
  UNEXPECTED,
  error,
  json,
} from '../reference/openapi-answers.ts'

const BY_SESSION = 'Needs the cookie of a session, not a token.'

const CROSS_SITE = {
  403: error("`cross_site`: another site's page asked for it.", CROSS_SITE_EXAMPLE),
}
const NO_SESSION = {
  401: { ...UNAUTHORIZED[401], ...error('`unauthorized`: nobody has signed in.') },
}
const TOO_LARGE = { 413: error('`body_too_large`: more than 64 KiB.') }
const TOO_MANY = {
  429: {
    ...error('`rate_limited`: too many attempts have failed.', TOO_MANY_ATTEMPTS_EXAMPLE),
    headers: {
      'Retry-After': { description: 'Whole seconds.', schema: { type: 'integer' as const } },
    },
  },
}
const OIDC_FAULTS = { 404: error('`not_found`: no identity provider is set up.'), ...UNEXPECTED }

const cookie = {
  headers: {
    'Set-Cookie': {
      description: '`weir_session=…; Path=/; HttpOnly; SameSite=Strict`.',
      schema: { type: 'string' as const },
    },
  },
}
const body = (schema: ZodType, example: object) => ({
  body: { required: true, content: { 'application/json': { schema, example } } },
})
const SESSION_ID = {
  params: z.object({
    id: z.string().meta({
      description: 'The id of one of your sessions, `session_…`.',
      example: SESSION_EXAMPLE.id,
    }),
  }),
}

const toSignInRoute = (route: Omit<RouteConfig, 'tags'>): RouteConfig => ({
  ...route,
  tags: ['Sign-in'],
})
/** A body by which somebody signs in, whatever shows who they are. */
const signsIn = (schema: ZodType, example: object) => ({
  request: body(schema, example),
  responses: {
    201: { ...json('Signed in.', sessionSchema, SESSION_EXAMPLE), ...cookie },
    ...INVALID,
    401: error('`sign_in_refused`: it was not right.', SIGN_IN_REFUSED_EXAMPLE),
    ...CROSS_SITE,
    ...TOO_LARGE,
    ...TOO_MANY,
    ...UNEXPECTED,
  },
})

export const SIGN_IN_ROUTES: readonly RouteConfig[] = [
  toSignInRoute({
    method: 'get',
    path: '/v1/sign-in',
    operationId: 'getSignIn',
    summary: 'How people sign in here',
    description: 'Needs no token.',
    responses: {
      200: json('What a sign-in page must know.', signInSchema, SIGN_IN_EXAMPLE),
      ...INVALID,
      ...UNEXPECTED,
    },
  }),
  toSignInRoute({
    method: 'post',
    path: '/v1/setup',
    operationId: 'setUp',
    summary: 'Make the first administrator, once',
    description:
      'Takes the one-time code of the link that Weir prints on its very first start, and signs in. Whoever lost it runs `weir users create` on the machine itself.',
    ...signsIn(setupRequestSchema, SETUP_EXAMPLE),
  }),
  toSignInRoute({
    method: 'post',
    path: '/v1/welcome',
    operationId: 'setFirstPassword',
    summary: 'Set a password by a one-time link',
    description:
      "Takes the code of the link that an administrator made for a user, and signs in. The user's other sessions end.",
    ...signsIn(welcomeRequestSchema, WELCOME_EXAMPLE),
  }),
  toSignInRoute({
    method: 'post',
    path: '/v1/session',
    operationId: 'signIn',
    summary: 'Sign in by password',
    description:
      'For browsers. A session whose cookie comes along is ended. Five failures of one address from one place, fifty of one address, or thirty from one place, within 15 minutes have to wait.',
    ...signsIn(sessionRequestSchema, SESSION_REQUEST_EXAMPLE),
  }),
  toSignInRoute({
    method: 'get',
    path: '/v1/session',
    operationId: 'getSession',
    summary: 'Who has signed in',
    description: BY_SESSION,
    security: NEEDS_SESSION,
    responses: {
      200: json('The session.', sessionSchema, SESSION_EXAMPLE),
      ...INVALID,
      ...NO_SESSION,
      ...UNEXPECTED,
    },
  }),
  toSignInRoute({
    method: 'delete',
    path: '/v1/session',
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and clears it. Twice is no fault.',
    security: NEEDS_SESSION,
    responses: {
      204: { description: 'Signed out.', ...cookie },
      ...INVALID,
      ...CROSS_SITE,
      ...UNEXPECTED,
    },
  }),
  toSignInRoute({
    method: 'post',
    path: '/v1/session/password',
    operationId: 'changePassword',
    summary: 'Change your password',
    description: `${BY_SESSION} All your other sessions end.`,
    security: NEEDS_SESSION,
    request: body(passwordChangeSchema, PASSWORD_EXAMPLE),
    responses: {
      200: { ...json('Your session.', sessionSchema, SESSION_EXAMPLE), ...cookie },
      ...INVALID,
      ...NO_SESSION,
      ...CROSS_SITE,
      ...TOO_LARGE,
      ...TOO_MANY,
      ...UNEXPECTED,
    },
  }),
  toSignInRoute({
    method: 'get',
    path: '/v1/sessions',
    operationId: 'listSessions',
    summary: 'Where you are signed in',
    description: BY_SESSION,
    security: NEEDS_SESSION,
    responses: {
      200: json('Your sessions, newest first.', sessionListSchema, SESSION_LIST_EXAMPLE),
      ...INVALID,
      ...NO_SESSION,
      ...UNEXPECTED,
    },
  }),
  toSignInRoute({
    method: 'delete',
    path: '/v1/sessions/{id}',
    operationId: 'endSession',
    summary: 'Sign out elsewhere',
    description: BY_SESSION,
    security: NEEDS_SESSION,
    request: SESSION_ID,
    responses: {
      200: json('Those that are left.', sessionListSchema, SESSION_LIST_EXAMPLE),
      ...INVALID,
      ...NO_SESSION,
      ...CROSS_SITE,
      404: error('`not_found`: you have no such session.'),
      ...UNEXPECTED,
    },
  }),
  toSignInRoute({
    method: 'get',
    path: '/v1/oidc/start',
    operationId: 'startOidc',
    summary: 'Sign in through the identity provider',
    description: 'For browsers: leads to the provider, and from there back.',
    request: {
      query: z.object({
        to: z.string().optional().meta({ description: 'The path of our own to end at.' }),
      }),
    },
    responses: { 302: { description: 'To the provider.' }, ...OIDC_FAULTS },
  }),
  toSignInRoute({
    method: 'get',
    path: '/v1/oidc/callback',
    operationId: 'finishOidc',
    summary: 'Back from the identity provider',
    description:
      'For browsers: signs in, or leads to /sign-in with a word for what went wrong. The parameters are the provider’s.',
    responses: { 302: { description: 'Into the console.', ...cookie }, ...OIDC_FAULTS },
  }),
]
