// Declares a route once, for serving, validation and the OpenAPI document. OpenAPIHono's own
// validators would run before the caller is checked, and read a repeated parameter as a list.

import type { RouteConfig } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { Access } from './access.ts'
import type { ApiServices } from './api-options.ts'
import type { Expected } from '../store/settings/changed-meanwhile.ts'
import { askedBy } from './questions/asked-by.ts'
import type { RouteSight } from './sight/route-sight.ts'
import { parseBody, readBody, readText } from './parse-body.ts'
import { parseParameters } from './parse-parameters.ts'
import { versionMember } from './parameter-schemas.ts'
import {
  CHANGED,
  describePrecondition,
  ETAG_HEADER,
  readExpected,
  toEtag,
} from './preconditions.ts'
import type { Precondition } from './preconditions.ts'
import {
  INVALID,
  UNEXPECTED,
  bodyFaults,
  describeNotFound,
  json,
  notFound,
} from './route-answers.ts'
import type { Answers, NamedExamples, Noun } from './route-answers.ts'

/** `GET /v1/budgets/{id}`. */
type RouteName = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`

/** Checked in this order. */
export interface Call<Asker, Query, Body> {
  readonly context: Context
  readonly services: ApiServices
  readonly caller: Asker
  readonly query: Query
  readonly body: Body
  readonly id: string
  /** Throws `not_found`: nothing has the id. */
  readonly missing: () => never
  /** What the caller saw, of a route with a precondition. */
  readonly expected: Expected
}

interface PathId extends Partial<Noun> {
  readonly description: string
  readonly example: string
}

interface Declaration<
  Asker,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Answer extends z.ZodType<object>,
> {
  readonly name: string
  readonly summary: string
  /** Follows the sentence about access. */
  readonly description?: string
  readonly access: Access<Asker>
  /** Whose things it is about, and so who is answered what. */
  readonly sight: RouteSight
  /** With a noun, the document says that there may be none; a handler does so by `missing`. */
  readonly id?: PathId
  /** Left out: any parameter is refused. */
  readonly query?: Query
  /** For browsers and probes: parameters are neither checked nor refused. */
  readonly ignoresParameters?: boolean
  readonly body?: {
    readonly schema: Body
    /** Left out: what the examples of its members make. */
    readonly example?: z.input<Body>
    /** No body is taken for an empty one. */
    readonly isOptional?: boolean
    /** Left out: as much as a key can have. */
    readonly bytesMax?: number
  }
  /** A change can be made on condition that its caller saw the last one. */
  readonly precondition?: Precondition
  /**
   * The success, as JSON; its `version` is sent as ETag too. Left out: among `answers`, and the
   * handler returns a response.
   */
  readonly answer?: JsonAnswer<Answer>
  readonly answers?: Answers
  readonly handle: (
    call: Call<Asker, z.output<Query>, z.output<Body>>,
  ) => Handled<Answer> | Promise<Handled<Answer>>
}

type Handled<Answer extends z.ZodType<object>> = z.output<Answer> | Response

interface JsonAnswer<Answer extends z.ZodType<object>> {
  readonly status: 200 | 201
  readonly description: string
  readonly schema: Answer
  /** Left out: what the examples of its members make. */
  readonly example?: z.output<Answer> | NamedExamples
  readonly headers?: Readonly<Record<string, object>>
}

export function ok<Answer extends z.ZodType<object>>(
  description: string,
  schema: Answer,
  example?: z.output<Answer> | NamedExamples,
): JsonAnswer<Answer> {
  return { status: 200, description, schema, ...(example !== undefined && { example }) }
}

export function created<Answer extends z.ZodType<object>>(
  description: string,
  schema: Answer,
  example?: z.output<Answer>,
): JsonAnswer<Answer> {
  return { ...ok(description, schema, example), status: 201 }
}

export interface ApiRoute {
  readonly method: string
  /** `/v1/budgets/:id`. */
  readonly path: string
  readonly sight: RouteSight
  readonly around: MiddlewareHandler | null
  readonly describe: () => RouteConfig
  readonly answer: (context: Context, services: ApiServices) => Promise<Response>
}

/** The tag groups routes in the document. */
export function routesOf(tag: string) {
  return function defineRoute<
    Asker,
    Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
    Body extends z.ZodObject = z.ZodObject<Record<never, never>>,
    Answer extends z.ZodType<object> = z.ZodNever,
  >(place: RouteName, declared: Declaration<Asker, Query, Body, Answer>): ApiRoute {
    const [method = '', path = ''] = place.split(' ')
    const describe = (): RouteConfig => ({ ...toConfig(method, path, declared), tags: [tag] })
    return {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      sight: declared.sight,
      around: declared.access.around ?? null,
      describe,
      answer: async (context, services) => {
        const caller = await declared.access.check(context, services)
        const asked = await askedBy(services, caller, { context, about: declared.sight })
        const query = readQuery(context, declared)
        const expected = readExpected(context, declared.precondition)
        const body = await readGiven(context, declared)
        const id = context.req.param('id') ?? ''
        const missing = (): never => {
          throw notFound(declared.id as Noun)
        }
        const call = { context, services: asked, caller, query, body, id, missing, expected }
        const handled = await declared.handle(call)
        if (handled instanceof Response) return handled
        const version = method === 'DELETE' ? null : versionOf(handled)
        if (version !== null) context.header('ETag', toEtag(version))
        return context.json(handled, declared.answer?.status ?? 200)
      },
    }
  }
}

function versionOf(answer: object): number | null {
  return 'version' in answer && typeof answer.version === 'number' ? answer.version : null
}

const NOTHING = z.strictObject({})

function readQuery<Query extends z.ZodObject>(
  context: Context,
  { query, ignoresParameters = false }: { query?: Query; ignoresParameters?: boolean },
): z.output<Query> {
  // Without a schema, the type is that of an empty one.
  if (ignoresParameters) return {} as z.output<Query>
  const { searchParams } = new URL(context.req.url)
  return parseParameters(searchParams, (query ?? NOTHING) as Query)
}

interface GivenBody<Body> {
  readonly schema: Body
  readonly isOptional?: boolean
  readonly bytesMax?: number
}

async function readGiven<Body extends z.ZodObject>(
  context: Context,
  { body }: { body?: GivenBody<Body> },
): Promise<z.output<Body>> {
  if (body === undefined) return {} as z.output<Body>
  if (body.isOptional !== true) return readBody(context, body.schema, body.bytesMax)
  const text = await readText(context)
  return parseBody(text === '' ? '{}' : text, body.schema)
}

interface Described extends Omit<
  Declaration<unknown, z.ZodObject, z.ZodObject, z.ZodType<object>>,
  'access' | 'sight' | 'handle' | 'body' | 'answer'
> {
  readonly access: Omit<Access<unknown>, 'check'>
  readonly body?: GivenBody<z.ZodObject> & { readonly example?: object }
  readonly answer?: JsonAnswer<z.ZodType<object>>
}

function toConfig(method: string, path: string, declared: Described): RouteConfig {
  const { name, summary, description, access, query, body, answer, precondition } = declared
  const { noun, list: _, ...id } = declared.id ?? {}
  return {
    method: method.toLowerCase() as RouteConfig['method'],
    path,
    operationId: name,
    summary,
    description: [access.needs, description].filter((each) => each != null).join(' '),
    ...(access.security !== undefined && { security: [{ [access.security]: [] }] }),
    request: {
      ...(declared.id !== undefined && { params: z.object({ id: z.string().meta(id) }) }),
      ...(query !== undefined && { query }),
      ...(precondition !== undefined && { headers: describePrecondition(precondition) }),
      ...(body !== undefined && {
        body: {
          required: body.isOptional !== true,
          content: json('', body.schema, body.example).content,
        },
      }),
    },
    responses: {
      ...(declared.ignoresParameters !== true && INVALID),
      ...access.faults(method),
      ...(body !== undefined && bodyFaults(body.schema, body.bytesMax)),
      ...UNEXPECTED,
      ...(precondition !== undefined && CHANGED),
      ...(noun !== undefined && describeNotFound(declared.id as Noun)),
      ...(answer !== undefined && { [answer.status]: toAnswer(answer, method) }),
      ...declared.answers,
    },
  }
}

function toAnswer(answer: JsonAnswer<z.ZodType<object>>, method: string) {
  const { description, schema, example, headers } = answer
  const described = json(description, schema, example)
  const isVersioned =
    method !== 'DELETE' &&
    schema instanceof z.ZodObject &&
    schema.shape['version'] === versionMember
  const all = { ...headers, ...(isVersioned && ETAG_HEADER) }
  return Object.keys(all).length === 0 ? described : { ...described, headers: all }
}
