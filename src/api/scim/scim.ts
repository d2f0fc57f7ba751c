// SCIM 2.0 (RFC 7643, RFC 7644) at /scim/v2: the company's directory keeps users and groups here.
// These routes have media type, errors and paths of their own, so they are not declared as the
// others are; caller, rate and scope are checked as for those, and changes audited as the token's.

import type { Context } from 'hono'
import { ChangedMeanwhile } from '../../store/settings/changed-meanwhile.ts'
import type { Expected } from '../../store/settings/changed-meanwhile.ts'
import type { ApiServices } from '../api-options.ts'
import { toIso } from '../iso-time.ts'
import { readText as readBodyText } from '../parse-body.ts'
import { readExpected, toEtag } from '../preconditions.ts'
import { askedBy } from '../questions/asked-by.ts'
import { isObject, toName, withNames, withoutUrn } from './scim-attributes.ts'
import type { Json } from './scim-attributes.ts'
import { answerFault, ScimFault, toAnswer } from './scim-fault.ts'
import { parseFilter } from './scim-filter.ts'
import { createScimGroups } from './scim-groups.ts'
import type { ScimKind, ScimResource } from './scim-kind.ts'
import { BODY_BYTES_MAX, PAGE_ROWS_MAX, SCIM_ACCESS } from './scim-limits.ts'
import { applyPatch } from './scim-patch.ts'
import { describeScim } from './scim-schemas.ts'
import { createScimUsers } from './scim-users.ts'

export const SCIM_PATH = '/scim/v2'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const PAGE_ROWS_DEFAULT = 100
/** How often a PATCH is made again of what others have changed meanwhile. */
const PATCH_TRIES_MAX = 5

export async function answerScim(context: Context, services: ApiServices): Promise<Response> {
  try {
    const caller = await SCIM_ACCESS.check(context, services)
    const asked = await askedBy(services, caller, { context, about: 'company' })
    return await route(context, asked)
  } catch (error) {
    const { method, path } = context.req
    const [, , , kind = ''] = path.split('/')
    return answerFault(error, { method, route: `${SCIM_PATH}/${kind}`, log: services.log })
  }
}

interface Asked {
  readonly context: Context
  /** Of `/scim/v2`. */
  readonly base: string
}

async function route(context: Context, services: ApiServices): Promise<Response> {
  const base = (services.signIn.publicUrl ?? new URL(context.req.url).origin) + SCIM_PATH
  const asked = { context, base }
  const path = context.req.path.slice(SCIM_PATH.length)
  const [, first = '', id, ...more] = path.split('/').map(toPart)
  if (more.length > 0) throw notFound()
  switch (first.toLowerCase()) {
    case 'users':
      return answerKind(asked, createScimUsers(services), id ?? null)
    case 'groups':
      return answerKind(asked, createScimGroups(services, base), id ?? null)
    case 'serviceproviderconfig':
      return answerDiscovery(asked, [describeScim(base).config], '')
    case 'resourcetypes':
      return answerDiscovery(asked, describeScim(base).types, id ?? null)
    case 'schemas':
      return answerDiscovery(asked, describeScim(base).schemas, id ?? null)
    case '.search':
    case 'bulk':
    case 'me':
      throw new ScimFault(null, 'This part of SCIM is not supported.', { status: 501 })
    default:
      throw notFound()
  }
}

/** A part of the path; the URNs of schemas have colons, which some encode. */
function toPart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notFound()
  }
}

/** `id`: null for all, empty for the only one. */
function answerDiscovery({ context }: Asked, all: readonly Json[], id: string | null): Response {
  requireMethod(context, ['GET'])
  if (context.req.query('filter') !== undefined) {
    throw new ScimFault(null, 'What Weir says of itself cannot be filtered.', { status: 403 })
  }
  if (id === null) return toAnswer(toList(all, { totalResults: all.length, startIndex: 1 }))
  const one = id === '' ? all[0] : all.find((each) => each['id'] === id)
  if (one === undefined) throw notFound()
  return toAnswer(one)
}

async function answerKind(asked: Asked, kind: ScimKind, id: string | null): Promise<Response> {
  const { context } = asked
  if (id === null || id === '') {
    if (requireMethod(context, ['GET', 'POST']) === 'GET') return list(asked, kind)
    return toResourceAnswer(asked, kind, await kind.create(await readGiven(context)))
  }
  const method = requireMethod(context, ['GET', 'PUT', 'PATCH', 'DELETE'])
  if (method === 'GET') return toResourceAnswer(asked, kind, await kind.find(id))
  const expected = readExpected(context, 'version')
  if (method === 'DELETE') {
    if ((await kind.remove(id, expected)) === null) throw notFound()
    return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
  }
  const given = await readGiven(context)
  const changed =
    method === 'PUT'
      ? await kind.replace(id, given, expected)
      : await patch(kind, id, { given, expected })
  return toResourceAnswer(asked, kind, changed)
}

/** Directories send several at once for one group, and none of them may take another's back. */
async function patch(
  kind: ScimKind,
  id: string,
  { given, expected }: { readonly given: Json; readonly expected: Expected },
): Promise<ScimResource | null> {
  for (let tries = 1; ; tries += 1) {
    const before = await kind.find(id)
    if (before === null) return null
    const draft = applyPatch(kind.toBase(before), given)
    try {
      return await kind.replace(id, draft, expected ?? [before.version])
    } catch (error) {
      const isOurs = error instanceof ChangedMeanwhile && expected === null
      if (!isOurs || tries === PATCH_TRIES_MAX) throw error
    }
  }
}

async function list(asked: Asked, kind: ScimKind): Promise<Response> {
  const { req } = asked.context
  const text = req.query('filter')
  const filter = text === undefined ? null : parseFilter(text)
  const found = await kind.list(filter?.lookup ?? null)
  const matching = filter === null ? found : found.filter(({ body }) => filter.matches(body))
  const startIndex = Math.max(1, readWhole(req.query('startIndex'), 1))
  const count = Math.max(0, readWhole(req.query('count'), PAGE_ROWS_DEFAULT))
  const rows = matching.slice(startIndex - 1, startIndex - 1 + Math.min(count, PAGE_ROWS_MAX))
  const resources = rows.map((each) => choose(asked, toBody(asked, kind, each)))
  return toAnswer(toList(resources, { totalResults: matching.length, startIndex }))
}

function readWhole(text: string | undefined, preset: number): number {
  if (text === undefined) return preset
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw new ScimFault('invalidValue', 'startIndex and count must be whole numbers.')
}

function toList(
  resources: readonly Json[],
  { totalResults, startIndex }: { readonly totalResults: number; readonly startIndex: number },
): Json {
  const figures = { totalResults, itemsPerPage: resources.length, startIndex }
  return { schemas: [LIST], ...figures, Resources: resources }
}

/** By `attributes` or `excludedAttributes`, never without its id; a part stands for the whole. */
function choose({ context }: Asked, body: Json): Json {
  const namesOf = (parameter: string): readonly string[] | null =>
    context.req
      .query(parameter)
      ?.split(',')
      .map((name) => withoutUrn(name.trim()).split('.')[0] ?? '')
      .map((name) => toName(name) ?? '') ?? null
  const [wanted, unwanted] = [namesOf('attributes'), namesOf('excludedAttributes')]
  const isChosen = (name: string): boolean =>
    ['schemas', 'id'].includes(name) ||
    (wanted?.includes(name) ?? unwanted?.includes(name) !== true)
  return Object.fromEntries(Object.entries(body).filter(([name]) => isChosen(name)))
}

function toBody({ base }: Asked, kind: ScimKind, resource: ScimResource): Json {
  const { id, version, createdAt, body } = resource
  const location = `${base}${kind.path}/${id}`
  const created = toIso(createdAt)
  return {
    ...body,
    meta: { resourceType: kind.name, created, location, version: toEtag(version) },
  }
}

function toResourceAnswer(asked: Asked, kind: ScimKind, resource: ScimResource | null): Response {
  if (resource === null) throw notFound()
  const ETag = toEtag(resource.version)
  const body = choose(asked, toBody(asked, kind, resource))
  if (asked.context.req.method !== 'POST') return toAnswer(body, 200, { ETag })
  return toAnswer(body, 201, { ETag, Location: `${asked.base}${kind.path}/${resource.id}` })
}

async function readGiven(context: Context): Promise<Json> {
  const text = await readBodyText(context, BODY_BYTES_MAX)
  try {
    const given = withNames(JSON.parse(text), 2)
    if (isObject(given)) return given
  } catch {
    // Answered below.
  }
  throw new ScimFault('invalidSyntax', 'The body must be one JSON object.')
}

function requireMethod<Method extends string>(
  { req }: Context,
  allowed: readonly Method[],
): Method {
  const asked = req.method === 'HEAD' ? 'GET' : req.method
  const method = allowed.find((each) => each === asked)
  if (method !== undefined) return method
  const Allow = allowed.join(', ')
  throw new ScimFault(null, `This path takes ${Allow} only.`, {
    status: 405,
    headers: { Allow },
  })
}

function notFound(): ScimFault {
  return new ScimFault(null, 'There is no such resource.', { status: 404 })
}
