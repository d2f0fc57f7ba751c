import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openaiOperations } from '../../openai.ts'
import type { Operation, RequestView } from '../../provider.ts'

const operations = openaiOperations('/v1')
const patterned = openaiOperations(/\/(?:a|b\.c)/)

function toRequest(method: string, path: string): RequestView {
  return { method, path, query: '', header: () => null, headers: () => [] }
}

function find(among: readonly Operation[], method: string, path: string): Operation | null {
  const found = among.filter((operation) => operation.matches(toRequest(method, path)))
  assert.ok(found.length <= 1, `${path}: ${found.map(({ name }) => name).join(', ')}`)
  return found[0] ?? null
}

const STORING = [
  '/batches/b/cancel',
  '/uploads/u/cancel',
  '/uploads/u/complete',
  '/fine_tuning/jobs/j/pause',
  '/fine_tuning/checkpoints/c/permissions',
  '/evals/e/runs/r/cancel',
  '/threads',
  '/threads/t',
  '/threads/t/messages',
  '/threads/t/messages/m',
  '/threads/t/runs/r',
  '/vector_stores',
  '/vector_stores/v/search',
  '/vector_stores/v/file_batches/b/cancel',
  '/containers/c/files',
  '/conversations/c/items',
  '/chat/completions/c',
  '/videos/characters',
  '/traces/ingest',
  '/realtime/calls/c/hangup',
  '/responses/r/cancel',
  '/threads/t/runs/r/cancel',
  '/responses/input_tokens',
]

for (const path of STORING) {
  test(`lets a policy pass POST ${path}, which runs no model`, () => {
    const request = toRequest('POST', `/v1${path}`)
    const operation = find(operations, 'POST', request.path)
    assert.ok(operation)
    assert.deepEqual(operation.createNamesReader(request).end(), { kind: 'named', names: [] })
  })
}

const HIDING = [
  '/files',
  '/uploads',
  '/uploads/u/parts',
  '/batches',
  '/fine_tuning/jobs',
  '/fine_tuning/alpha/graders/run',
  '/evals',
  '/evals/e/runs',
  '/assistants',
  '/assistants/a',
  '/threads/runs',
  '/threads/t/runs',
  '/threads/t/runs/r/submit_tool_outputs',
  '/chatkit/sessions',
  '/videos/v/remix',
  '/videos/extensions',
]

for (const path of HIDING) {
  test(`tells a policy that the models of POST ${path} are out of sight`, () => {
    const request = toRequest('POST', `/v1${path}`)
    const operation = find(operations, 'POST', request.path)
    assert.ok(operation)
    assert.equal(operation.createNamesReader(request).end().kind, 'unreadable')
  })
}

const UNKNOWN = ['/threads/t/unheard_of', '/files/f', '/responses', '/responses/', '/v1/files']

test('knows no path that it was not told', () => {
  for (const path of UNKNOWN) assert.equal(find(operations, 'PATCH', `/v1${path}`), null)
  assert.equal(find(operations, 'POST', '/v1/threads/t/unheard_of'), null)
  assert.equal(find(operations, 'POST', '/v1/files/f'), null)
  assert.equal(find(operations, 'POST', '/v1/files/'), null)
  assert.equal(find(operations, 'GET', '/v1/files/f'), null)
  assert.equal(find(operations, 'POST', '/x/v1/files'), null)
})

test('has the same calls below a base that is a pattern', () => {
  for (const path of [...STORING, ...HIDING, '/chat/completions', '/responses', '/images/edits']) {
    const name = find(operations, 'POST', `/v1${path}`)?.name
    assert.ok(name)
    for (const base of ['/a', '/b.c']) {
      assert.equal(find(patterned, 'POST', base + path)?.name, name)
    }
    assert.equal(find(patterned, 'POST', `/bxc${path}`), null)
    assert.equal(find(patterned, 'POST', `/a/a${path}`), null)
  }
})

test('reads what is looked at again: responses, runs, videos, files', () => {
  const names = ['/responses/r', '/threads/t/runs/r', '/videos/v', '/files/f/content'].map(
    (path) => find(operations, 'GET', `/v1${path}`)?.name,
  )
  assert.deepEqual(names, [
    'openai-stored-response',
    'openai-run',
    'openai-stored-video',
    'openai-batch-results',
  ])
})

const CHARGED = [
  '/fine_tuning/jobs',
  '/fine_tuning/alpha/graders/run',
  '/evals/e/runs',
  '/realtime/calls',
]
const FREE = [...STORING, '/batches', '/evals', '/fine_tuning/alpha/graders/validate']
const READ = ['/responses/r/cancel', '/threads/t/runs/r/cancel']

test('calls nothing free that sets off work which is billed out of sight', () => {
  for (const path of CHARGED) assert.notEqual(find(operations, 'POST', `/v1${path}`)?.isFree, true)
  for (const path of FREE.filter((each) => !READ.includes(each))) {
    assert.equal(find(operations, 'POST', `/v1${path}`)?.isFree, true, path)
  }
})
