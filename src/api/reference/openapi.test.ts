import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { DOCUMENT_ID, createAjv, listMedia } from '../../../test/fakes/document-schemas.ts'
import type { ApiOptions } from '../api-options.ts'
import { requestParametersSchema } from '../contract.ts'
import { API_ROUTES } from '../api-routes.ts'
import { alertRowSchema } from '../budgets/alert-contract.ts'
import {
  budgetMemberSchema,
  budgetPeriodSchema,
  changedBudgetSchema,
} from '../budgets/budget-contract.ts'
import { createDocument } from '../../../test/usage-api/openapi-document.ts'
import { createRoutes } from '../routes.ts'

const document = createDocument('1.2.3', API_ROUTES)

/** `get /v1/requests/{id}`. The routes are listed, never asked, so nothing stands behind them. */
function servedRoutes(): readonly string[] {
  const clock = { now: () => 0, monotonic: () => 0 }
  const signIn = { oidc: null, publicUrl: null }
  const options = { settings: {}, info: { version: '' }, clock, consoleDir: null, signIn }
  const routes = createRoutes(options as unknown as ApiOptions).routes
  return routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/'))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/, '{$1}')}`)
    .filter((route, index, all) => all.indexOf(route) === index)
}

test('is OpenAPI 3.1 of the running version', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.2.3')
})

test('follows the rules of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }))
  assert.ok(valid, JSON.stringify(errors))
})

test('describes every route below /v1 that is served, and no other', () => {
  const documented = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
  // HEAD is answered by the route of GET.
  const served = servedRoutes().flatMap((route) =>
    route.startsWith('get ') ? [route, route.replace('get', 'head')] : [route],
  )
  assert.deepEqual(documented.toSorted(), served.toSorted())
})

test('describes the paths beside /v1', () => {
  assert.deepEqual(
    Object.keys(document.paths).filter((path) => !path.startsWith('/v1/')),
    ['/healthz', '/readyz', '/metrics'],
  )
})

test('every operation has a name of its own, a tag that is described, and words', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const names = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length, names.join(' '))
  const tags = document.tags.map(({ name }) => name)
  for (const { operationId = '', tags: [tag = ''] = [], summary, description } of operations) {
    assert.match(operationId, /^[a-z]+[A-Za-z]+$/)
    assert.ok(tags.includes(tag) && summary && description, operationId)
  }
})

test('HEAD is described as GET is, without bodies', () => {
  for (const [path, { get, head }] of Object.entries(document.paths)) {
    if (get === undefined) continue
    assert.deepEqual(head?.parameters, get.parameters, path)
    for (const [status, answer] of Object.entries(head?.responses ?? {})) {
      assert.equal(answer.content, undefined)
      assert.deepEqual(answer.headers, get.responses[status]?.headers, `${path} ${status}`)
    }
  }
})

test('describes the parameters of a usage query, and which questions are answered', () => {
  const usage = document.paths['/v1/usage']?.['get']
  assert.deepEqual(
    usage?.parameters?.map(({ name, required }) => [name, required]),
    [
      ['metric', true],
      ['window', true],
      ['dimension', false],
      ['dim_key', false],
      ['month', false],
      ['months', false],
      ['limit', false],
      ['api_key', false],
    ],
  )
  assert.match(usage?.description ?? '', /cost_usd by model over month_to_date, month/)
})

const SEVERAL_VALUES = [
  'api_key',
  'team',
  'person',
  'provider',
  'model',
  'dim_value',
  'status',
  'source',
  'usage',
]
SEVERAL_VALUES.push('http_status', 'error_code')
SEVERAL_VALUES.push('tool', 'tool_version', 'agent_kind', 'repository', 'session')

test('describes the parameters of the request log, none of them required', () => {
  const { parameters = [] } = document.paths['/v1/requests']?.['get'] ?? {}
  assert.deepEqual(
    parameters.map(({ name }) => name),
    Object.keys(requestParametersSchema.shape),
  )
  for (const { name, required, description, schema } of parameters) {
    assert.equal(required, false, name)
    assert.ok(description, name)
    const isRepeatable = SEVERAL_VALUES.includes(name)
    assert.equal(schema.type === 'array', isRepeatable, name)
    const { type } = isRepeatable ? (schema.items ?? {}) : schema
    assert.equal(type, name === 'limit' ? 'integer' : 'string', name)
  }
  const [id] = document.paths['/v1/requests/{id}']?.['get']?.parameters ?? []
  assert.deepEqual([id?.name, id?.in, id?.required], ['id', 'path', true])
})

test('every question that needs a token says so and lists its errors', () => {
  for (const path of ['/v1/usage', '/v1/requests', '/v1/requests/{id}', '/v1/completeness']) {
    const operation = document.paths[path]?.['get']
    assert.deepEqual(operation?.security, [{ accessToken: [] }], path)
    assert.match(operation?.description ?? '', /scope read:(?:usage|requests)/)
    for (const status of ['200', '400', '401', '403', '500']) {
      assert.ok(operation?.responses[status], `${path} ${status}`)
    }
  }
  assert.ok(document.paths['/v1/requests/{id}']?.['get']?.responses['404'])
})

test('every operation about budgets says which scope it needs, and lists its errors', () => {
  const paths = Object.entries(document.paths).filter(([path]) =>
    /^\/v1\/(?:budgets|targets|alerts|incidents)/.test(path),
  )
  assert.equal(paths.length, 14)
  for (const [path, methods] of paths) {
    for (const [method, operation] of Object.entries(methods)) {
      const isRead = method === 'get' || method === 'head'
      assert.deepEqual(operation.security, [{ accessToken: [] }], path)
      assert.match(operation.description ?? '', isRead ? /scope read:usage/ : /scope write:budgets/)
      const { requestBody, responses } = operation
      const statuses = ['400', '401', '403', '500']
      if (path.includes('{')) statuses.push('404')
      if (requestBody !== undefined) statuses.push('413')
      for (const status of statuses) assert.ok(responses[status], `${method} ${path} ${status}`)
    }
  }
})

test('docs/api/budgets.md shows a budget, an alert, a member and a period as they are', () => {
  const docs = readFileSync(new URL('../../../docs/api/budgets.md', import.meta.url), 'utf8')
  const shown = [...docs.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => text)
  const parsed = shown.map((text): unknown => JSON.parse(text))
  const schemas = [changedBudgetSchema, alertRowSchema, budgetMemberSchema, budgetPeriodSchema]
  for (const schema of schemas) {
    assert.ok(parsed.some((each) => isDeepStrictEqual(schema.safeParse(each).data, each)))
  }
})

test('a usage query may be refused for asking too often, and says how long to wait', () => {
  const responses = document.paths['/v1/usage']?.['get']?.responses
  const rate = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  const headersOf = (status: string) => Object.keys(responses?.[status]?.headers ?? {})
  assert.deepEqual(headersOf('200'), [...rate, 'Cache-Control'])
  for (const status of ['400', '403']) assert.deepEqual(headersOf(status), rate)
  assert.deepEqual(headersOf('429'), [...rate, 'Retry-After'])
})

test('a usage query has examples of each kind of answer', () => {
  const responses = document.paths['/v1/usage']?.['get']?.responses
  const namesOf = (status: string) =>
    Object.keys(responses?.[status]?.content?.['application/json']?.examples ?? {})
  assert.deepEqual(namesOf('200'), ['total', 'breakdown', 'dim_model', 'monthly_series'])
  assert.deepEqual(namesOf('400'), ['invalid_parameter', 'unknown_catalog_tuple'])
  for (const status of ['401', '429']) {
    assert.ok(responses?.[status]?.content?.['application/json']?.example, status)
  }
})

test('every example is what its schema says', () => {
  const ajv = createAjv(document)
  let checked = 0
  for (const { place, pointer, media } of listMedia(document)) {
    const examples = Object.values(media.examples ?? {}).map(({ value }) => value)
    if (media.example !== undefined) examples.push(media.example)
    for (const example of examples) {
      const isValid = ajv.validate({ $ref: `${DOCUMENT_ID}${pointer}/schema` }, example)
      assert.ok(isValid, `${place}: ${ajv.errorsText()}`)
      checked += 1
    }
  }
  assert.ok(checked > 20, `only ${checked} examples`)
})

test('every example of a member is what its schema says', () => {
  const ajv = createAjv(document)
  let checked = 0
  const check = (schema: unknown, pointer: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    if ('example' in schema && !('in' in schema)) {
      const isValid = ajv.validate({ $ref: `${DOCUMENT_ID}#${pointer}` }, schema.example)
      assert.ok(isValid, `${pointer}: ${ajv.errorsText()}`)
      checked += 1
    }
    for (const [name, member] of Object.entries(schema)) check(member, `${pointer}/${name}`)
  }
  check(document.components.schemas, '/components/schemas')
  assert.ok(checked > 50, `only ${checked} examples`)
})

test('an example that is not what its schema says would be found', () => {
  const ajv = createAjv(document)
  const schema = { $ref: `${DOCUMENT_ID}#/components/schemas/UsageEnvelope` }
  const rest = { bucket: null, model: null, requests: null, tokens: null }
  const row = { label: 'total', value: 1, ...rest }
  const total = { asOf: '2026-03-15T12:00:00.000Z', rows: [row] }
  assert.ok(ajv.validate(schema, total))
  assert.ok(!ajv.validate(schema, { ...total, asOf: 'yesterday' }))
  assert.ok(!ajv.validate(schema, { ...total, rows: [{ ...row, value: '1' }] }))
})

test('every reference leads to a schema', () => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) assert.ok(name in document.components.schemas, name)
})
