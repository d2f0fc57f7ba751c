import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { z } from 'zod'
import { WeirError } from '../core/weir-error.ts'
import { ANYONE } from './access.ts'
import type { Access } from './access.ts'
import { addRoutes } from './add-routes.ts'
import { answerError } from './answer-error.ts'
import type { ApiServices } from './api-options.ts'
import { created, ok, routesOf } from './define-route.ts'
import { createDocument } from '../../test/usage-api/openapi-document.ts'

const defineRoute = routesOf('Service')
const noteSchema = z.strictObject({ text: z.string('text must be a text') })
const log = { warn: () => undefined, error: () => undefined }

const STRANGER: Access<null> = {
  ...ANYONE,
  check: () => {
    throw new WeirError('unauthorized', 'No one is let in.')
  },
}

const ROUTES = [
  defineRoute('POST /v1/notes/{id}', {
    name: 'addNote',
    summary: 'Add a note',
    access: ANYONE,
    sight: 'anyone',
    id: { description: 'An id.', example: 'one' },
    query: z.strictObject({ color: z.enum(['red'], 'color must be red').optional() }),
    body: { schema: noteSchema, example: { text: 'hello' } },
    answer: created('The note.', noteSchema, { text: 'hello' }),
    handle: ({ id, query, body }) => ({ text: `${id} ${query.color ?? ''} ${body.text}` }),
  }),
  defineRoute('GET /v1/notes/{id}', {
    name: 'getNote',
    summary: 'A note',
    access: STRANGER,
    sight: 'scoped',
    id: { description: 'An id.', example: 'one' },
    answer: ok('The note.', noteSchema),
    handle: () => assert.fail('a stranger was let in'),
  }),
]

async function ask(path: string, init: RequestInit = {}): Promise<[number, unknown]> {
  const app = new Hono()
  app.onError((error) => answerError(error, { method: '', route: '', log }))
  // None of these handlers asks for a service.
  addRoutes(app, ROUTES, {} as ApiServices)
  const response = await app.request(path, init)
  return [response.status, await response.json()]
}

const post = (body: string): RequestInit => ({ method: 'POST', body })

test('a handler is given what was declared, and its answer has the declared status', async () => {
  const answer = await ask('/v1/notes/7?color=red', post('{"text":"hi"}'))
  assert.deepEqual(answer, [201, { text: '7 red hi' }])
})

for (const [name, path, body, text] of [
  ['an unknown parameter', '?size=1', '{"text":"hi"}', 'Unknown parameter size'],
  ['a parameter given twice', '?color=red&color=red', '{"text":"hi"}', 'more than once'],
  ['a wrong parameter, before a wrong body', '?color=blue', '{}', 'color must be red'],
  ['a wrong body', '', '{}', 'text must be a text'],
  ['an unknown member', '', '{"text":"hi","size":1}', 'unknown member size'],
] as const) {
  test(`${name} is refused`, async () => {
    const [status, refusal] = await ask(`/v1/notes/7${path}`, post(body))
    assert.equal(status, 400)
    assert.ok((refusal as { error: string }).error.includes(text))
  })
}

test('who may ask is checked before the parameters, and another method is refused', async () => {
  assert.equal((await ask('/v1/notes/7?size=1'))[0], 401)
  const [status, refusal] = await ask('/v1/notes/7', { method: 'DELETE' })
  assert.equal(status, 405)
  assert.match(JSON.stringify(refusal), /GET, HEAD, POST only/)
})

test('the document says what is served', () => {
  const { paths } = createDocument('', ROUTES)
  const { get, head, post: add } = paths['/v1/notes/{id}'] ?? {}
  assert.ok(get && head && add)
  assert.deepEqual(Object.keys(add.responses), ['201', '400', '405', '413', '500'])
  const { example } = add.responses['400']?.content?.['application/json'] ?? {}
  assert.match(JSON.stringify(example), /missing: text must be a text/)
})
