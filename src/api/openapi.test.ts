import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenApiDocument } from './openapi.ts'

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, unknown> }
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly required: boolean }[]
  readonly description?: string
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

test('every reference leads to a schema', () => {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, name = ''] of references) assert.ok(name in document.components.schemas, name)
})
