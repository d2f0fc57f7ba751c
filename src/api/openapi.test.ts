import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoney, parseMoney } from '../core/money.ts'
import {
  completenessSchema,
  errorBodySchema,
  requestDetailSchema,
  requestPageSchema,
  requestParametersSchema,
} from './contract.ts'
import { REQUEST_DETAIL_EXAMPLE } from './openapi-examples.ts'
import { createOpenApiDocument } from './openapi.ts'

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, unknown> }
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly description?: string
  readonly security?: unknown
  readonly responses: Record<string, { readonly content: Record<string, { example?: unknown }> }>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: { readonly type: string }
}

const document = createOpenApiDocument('1.2.3') as Document

test('is OpenAPI 3.1 of the running version', () => {
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.2.3')
})

test('describes every route', () => {
  assert.deepEqual(
    Object.entries(document.paths).map(([path, methods]) => [path, ...Object.keys(methods)]),
    [
      ['/v1/usage', 'get'],
      ['/v1/requests', 'get'],
      ['/v1/requests/{id}', 'get'],
      ['/v1/completeness', 'get'],
      ['/v1/info', 'get'],
      ['/v1/setup', 'post'],
      ['/healthz', 'get'],
      ['/readyz', 'get'],
      ['/metrics', 'get'],
    ],
  )
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

test('describes the parameters of the request log, none of them required', () => {
  const { parameters = [] } = document.paths['/v1/requests']?.['get'] ?? {}
  assert.deepEqual(
    parameters.map(({ name }) => name),
    Object.keys(requestParametersSchema.shape),
  )
  for (const { name, required, description, schema } of parameters) {
    assert.equal(required, false, name)
    assert.ok(description, name)
    assert.match(schema.type, name === 'limit' ? /^integer$/ : /^string$/)
  }
  const [id] = document.paths['/v1/requests/{id}']?.['get']?.parameters ?? []
  assert.deepEqual([id?.name, id?.in, id?.required], ['id', 'path', true])
})

test('every question that needs a token says so and tells its errors', () => {
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

for (const [path, status, schema] of [
  ['/v1/requests', '200', requestPageSchema],
  ['/v1/requests/{id}', '200', requestDetailSchema],
  ['/v1/completeness', '200', completenessSchema],
  ['/v1/requests', '400', errorBodySchema],
] as const) {
  test(`the example of ${path} with status ${status} is a whole answer`, () => {
    const response = document.paths[path]?.['get']?.responses[status]
    const example = response?.content['application/json']?.example
    assert.deepEqual(schema.parse(example), example)
  })
}

test('the lines of the example multiply out', () => {
  const { cost_usd: cost, explanation } = REQUEST_DETAIL_EXAMPLE
  let total = 0n
  for (const { count, rate_usd: rate, cost_usd: product } of explanation.lines) {
    assert.equal(formatMoney(BigInt(count) * (parseMoney(rate) ?? 0n)), product)
    total += parseMoney(product) ?? 0n
  }
  assert.deepEqual([formatMoney(total), cost], [explanation.total_usd, cost])
})

test('every reference leads to a schema', () => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) assert.ok(name in document.components.schemas, name)
})
