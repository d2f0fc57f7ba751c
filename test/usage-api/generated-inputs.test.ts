// Asks every path of the OpenAPI document what its schemas allow and what they do not, and compares
// each answer with the document: a status that is not described, a body that is not as described,
// or a failure is a defect.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { DocumentedAnswer, Operation, Schema } from './openapi-document.ts'
import { API_ROUTES } from '../../src/api/api-routes.ts'
import { createDocument } from './openapi-document.ts'
import { loadConfig } from '../../src/config/config.ts'
import { openOnDemand } from '../../src/app/configured-api.ts'
import type { TokenScope } from '../../src/core/api-key.ts'
import { BUDGET_PERIODS } from '../../src/core/budget.ts'
import { OPEN_KEY } from '../../src/resources/codecs.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { DOCUMENT_ID, createAjv, pointerTo } from '../fakes/document-schemas.ts'
import { openApi, toEnv } from '../fakes/open-api.ts'
import type { OpenApi } from '../fakes/open-api.ts'
import { byForm, isLongForm } from '../long-form.ts'
import { drawQuestion } from './draw-question.ts'
import type { Question } from './draw-question.ts'

const NOW = Date.parse('2026-03-15T12:00:00Z')
const DAY_MS = 86_400_000
const RUNS = byForm(20, 200)
const PLAIN_RUNS = byForm(6, 40)
/** A password is slow to look at, on purpose. */
const PASSWORD_RUNS = 5
const USAGE_RUNS = byForm(40, 400)
const BUSY_RUNS = 120
/** So much passes between two questions: no token that is drawn among others comes to its limit. */
const PAUSE_MS = 10_000
/** Wrong codes come faster than they are forgotten, so that the limit is seen. */
const HURRY_MS = 100

const WRITERS: readonly TokenScope[] = ['write:budgets', 'write:keys', 'write:prices', 'read:keys']

const SCOPES: readonly (readonly TokenScope[])[] = [
  ['read:usage'],
  ['read:keys'],
  ['read:requests'],
  ['write:prices'],
  // With read:keys: without it answers to changes of keys leave members out, as they say.
  ...Array.from({ length: 3 }, () => WRITERS),
  // Often: who administers is the only one to reach the rarer answers of users and tokens.
  ...Array.from({ length: 7 }, (): readonly TokenScope[] => ['admin']),
  ['read:usage', 'read:keys'],
  ['read:usage', 'read:requests'],
]

const document = createDocument('1.2.3', API_ROUTES)
const ajv = createAjv(document)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
// One of its own for every run finds more over time; fast-check's report says how to come back to a
// finding.
const seed = Math.floor(Math.random() * 2 ** 31)

let api: OpenApi
let dir: string
let monotonicMs = 0
const BUDGETS = 80
const KEYS = 40
/** By the path below which they stand. */
const ids = {
  requests: [] as string[],
  budgets: [] as string[],
  targets: [] as string[],
  keys: [] as string[],
  tokens: [] as string[],
  prices: [] as string[],
  users: [] as string[],
}
const codes = ['wrong']
const authorizations: (string | undefined)[] = [
  undefined,
  'Bearer svc_agt_none.x',
  'Basic eDp5',
  '',
]

before(async () => {
  const clock = { now: () => NOW, monotonic: () => monotonicMs }
  // The provider of the document's examples.
  dir = mkdtempSync(path.join(tmpdir(), 'weir-inputs-'))
  const env = {
    ...toEnv(dir),
    WEIR_PROVIDER_SOME_PROVIDER_URL: 'https://some.example',
    WEIR_PROVIDER_SOME_PROVIDER_SHAPE: 'openai',
  }
  const config = loadConfig({ env })
  api = await openApi(NOW, (stores) => ({ clock, ...openOnDemand({ ...stores, config, clock }) }))
  const records = Array.from({ length: 80 }, (_, index) =>
    createRecord(
      {
        // The log is read by ids, which say when a call began.
        id: createRequestId(NOW - index * DAY_MS - 1000),
        endedAt: NOW - index * DAY_MS,
        startedAt: NOW - index * DAY_MS - 1000,
        provider: `provider-${index % 3}`,
        model: index % 7 === 0 ? null : `model-${index % 5}`,
        keyId: `svc_k_${index % 4}`,
        dims: index % 2 === 0 ? { team: `team <${index % 6}>`, env: 'prod' } : {},
      },
      { amount: BigInt(index) * 1_234_567_890n },
    ),
  )
  await api.store.writeBatch(batchOf(...records))
  ids.requests.push(...records.slice(0, 5).map(({ event }) => event.id))
  await createBudgets()
  await createKeys()
  await createUsers()
  for (const scopes of SCOPES) authorizations.push(await api.authorize(...scopes))
  codes.push((await api.settings.setupCode.create()) ?? '')
})

async function createKeys(): Promise<void> {
  const { keys, tokens, prices } = api.settings
  for (let index = 0; index < KEYS; index++) {
    const name = `key <${index}>`
    ids.keys.push((await keys.create({ ...OPEN_KEY, name })).key.id)
    ids.tokens.push(
      (await tokens.create({ name, scopes: [], teamId: null, expiresAt: null })).token.id,
    )
    const about = { provider: 'openai', model: `model-${index}`, tier: null, note: name }
    const price = { kind: 'multiplier', factor: '0.5' } as const
    ids.prices.push((await prices.set({ ...about, effectiveFrom: index, price })).id)
  }
}

async function createUsers(): Promise<void> {
  for (let index = 0; index < KEYS; index++) {
    const who = { email: `user-${index}@example.com`, name: `user <${index}>` }
    const given = { ...who, role: 'viewer', passwordHash: null, subject: null } as const
    ids.users.push((await api.settings.users.create(given)).id)
  }
}

async function createBudgets(): Promise<void> {
  const { budgets, targets, alerts } = api.settings
  for (let index = 0; index < BUDGETS; index++) {
    const { id } = await budgets.create({
      name: `budget <${index}>`,
      scope: index % 2 === 0 ? { kind: 'global' } : { kind: 'dim', key: 'team', value: 'team <2>' },
      period: BUDGET_PERIODS[index % BUDGET_PERIODS.length] ?? 'day',
      limit: 10n ** 12n,
      thresholds: [50],
      each: 'none',
      isTargetsOnly: false,
      isBlocking: index % 3 === 0,
    })
    ids.budgets.push(id)
    const target = { kind: 'webhook', address: `https://a.example/${index}` } as const
    await targets.create({ ...target, budgetId: id })
    ids.targets.push((await targets.create({ ...target, budgetId: null })).id)
  }
  const slugOf = (provider: string, model: string): string => `${provider}/${model}`
  await api.store.progress.budgets.watch(await budgets.list(), { slugOf, nowMs: NOW })
  const outbox = await api.store.progress.outbox.read(0, 1000)
  await alerts.take(outbox.alerts, outbox.place)
}

after(async () => {
  agent.destroy()
  await api.close()
  rmSync(dir, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Not by fetch: it would mend what is wrong with an address, and does not know every method. */
async function ask(question: Question, authorization: string | undefined): Promise<Answer> {
  const { method, target, body } = question
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    // Node would send the body of some methods without its length.
    ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
  }
  const sent = request(api.url, { method, path: target, headers, agent }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
  })
  sent.on('error', reject)
  sent.end(body ?? undefined)
  return promise
}

/** Throws where the answer is not as the document says. */
function check(path: string, method: string, answer: Answer): void {
  const { status, headers, text } = answer
  assert.ok(status < 500, `${status} ${text} ${api.logged.join('\n')}`)
  const methods = document.paths[path] ?? {}
  const isKnown = methods[method.toLowerCase()] !== undefined
  const name = isKnown ? method.toLowerCase() : (Object.keys(methods)[0] ?? '')
  // What is filled in may lead to another path, as nothing or two dots do; there is none.
  if (!isKnown && !(status === 404 && path.includes('{'))) assert.equal(status, 405)
  const documented: DocumentedAnswer | undefined = methods[name]?.responses[String(status)]
  assert.ok(documented !== undefined, `status ${status} is not described: ${text}`)
  for (const header of Object.keys(documented.headers ?? {})) {
    assert.ok(headers[header.toLowerCase()], `status ${status} comes without ${header}`)
  }
  if (method === 'HEAD' || documented.content === undefined) {
    assert.equal(text, '')
    return
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  assert.ok(documented.content?.[type], `content type ${type} is not described`)
  const pointer = pointerTo({ path, method: name, part: `responses/${status}`, type })
  const isValid = ajv.getSchema(`${DOCUMENT_ID}${pointer}/schema`)
  assert.ok(isValid !== undefined, pointer)
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text
  assert.ok(isValid(body), `${ajv.errorsText(isValid.errors)}: ${text}`)
  if (status < 400) return
  const { code } = body as { code?: string }
  assert.ok(documented.description.includes(`\`${code}\``), `code ${code} is not described`)
}

/**
 * Each operation must be seen with these: a run that reaches none of them proves nothing. The short
 * form draws too few to see the rare ones every time.
 */
const REACHED: Readonly<Record<string, readonly number[]>> = {
  'get /v1/usage': [200, 400, 401, 403, 405],
  'get /v1/analysis': [200, 400, 401, 403, 405],
  'get /v1/exports/usage.csv': [200, 400, 401, 403, 405],
  'get /v1/exports/focus.csv': [200, 400, 401, 403, 405],
  'get /v1/requests': [200, 400, 401, 403, 405],
  'get /v1/requests/{id}': [200, 400, 401, 403, 404, 405],
  'get /v1/completeness': [200, 400, 401, 403, 405],
  'get /v1/budgets': [200, 400, 401, 403, 405],
  'post /v1/budgets': [201, 400, 401, 403, 405],
  'get /v1/budgets/{id}': [200, 400, 401, 403, 404, 405],
  'patch /v1/budgets/{id}': [200, 400, 401, 403, 404, 405],
  'delete /v1/budgets/{id}': [200, 400, 401, 403, 404, 405],
  'post /v1/budgets/{id}/targets': [201, 400, 401, 403, 404, 405],
  'get /v1/targets': [200, 400, 401, 403, 405],
  'post /v1/targets': [201, 400, 401, 403, 405],
  'delete /v1/targets/{id}': [200, 400, 401, 403, 404, 405],
  'post /v1/targets/{id}/test': [200, 400, 401, 403, 404, 405],
  'get /v1/alerts': [200, 400, 401, 403, 405],
  'get /v1/keys': [200, 400, 401, 403, 405],
  'post /v1/keys': [201, 400, 401, 403, 405],
  'post /v1/keys/check': [200, 400, 401, 403, 405],
  'get /v1/keys/{id}': [200, 400, 401, 403, 404, 405],
  'patch /v1/keys/{id}': [200, 400, 401, 403, 404, 405],
  'post /v1/keys/{id}/rotate': [200, 400, 401, 403, 404, 405],
  'post /v1/keys/{id}/revoke': [200, 400, 401, 403, 404, 405],
  'get /v1/tokens': [200, 400, 401, 403, 405],
  'post /v1/tokens': [201, 400, 401, 403, 405],
  'post /v1/tokens/{id}/revoke': [200, 400, 401, 403, 404, 405],
  'get /v1/prices': [200, 400, 401, 403, 405],
  'get /v1/prices/history': [200, 400, 401, 403, 405],
  'get /v1/prices/rules': [200, 400, 401, 403, 405],
  'post /v1/prices/rules': [201, 400, 401, 403, 405],
  'delete /v1/prices/rules/{id}': [200, 400, 401, 403, 404, 405],
  'get /v1/prices/missing': [200, 400, 401, 403, 405],
  'post /v1/prices/reprice': [200, 400, 401, 403, 405],
  'post /v1/setup': [201, 400, 401, 405, 429],
  'get /v1/users': [200, 400, 401, 403, 405],
  'post /v1/users': [201, 400, 401, 403, 405],
  'patch /v1/users/{id}': [200, 400, 401, 403, 404, 405],
  'delete /v1/users/{id}': [200, 400, 401, 403, 404, 405],
  'post /v1/users/{id}/link': [201, 400, 401, 403, 404, 405],
  'get /v1/audit': [200, 400, 401, 403, 405],
}

/** What is deleted is asked for nowhere else: one seed draws the same places for every path. */
function knownFor(path: string, method: string): readonly string[] {
  const [, , kind] = path.split('/')
  if (kind === 'tokens' || kind === 'prices') return ids[kind]
  if (kind === 'users')
    return ids.users.filter((_, index) => (index % 2 === 0) === (method === 'delete'))
  if (kind !== 'budgets' && kind !== 'targets' && kind !== 'keys') return ids.requests
  const isEnd = method === 'delete' || path.endsWith('/revoke')
  return ids[kind].filter((_, index) => (index % 2 === 0) === isEnd)
}

/** What the document shows as an example is taken: its own, or what those of its members make. */
function bodiesFor(path: string, { requestBody }: Operation): readonly object[] {
  const media = requestBody?.content['application/json']
  if (media === undefined) return []
  const example = (media.example ?? toExample(media.schema ?? {})) as object
  if (path === '/v1/setup') return codes.map((code) => ({ ...example, code }))
  // The team and the person of an example are nobody here.
  const owners = ['team_id', 'person_id'].filter((name) => Object.hasOwn(example, name))
  const ofNobody = Object.fromEntries(owners.map((name) => [name, null]))
  return owners.length === 0 ? [example] : [example, { ...example, ...ofNobody }]
}

function toExample(schema: Schema): unknown {
  const { $ref, example, enum: values, properties, items, type } = schema
  if ($ref !== undefined) {
    return toExample(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  }
  if (example !== undefined) return example
  if (values !== undefined) return values[0]
  if (items !== undefined) return [toExample(items)]
  if (properties === undefined) return type === 'boolean'
  const members = Object.entries(properties)
  return Object.fromEntries(members.map(([name, member]) => [name, toExample(member)]))
}

const PASSWORD_PATHS: readonly string[] = ['/v1/session', '/v1/welcome']

function runsFor(method: string, path: string): number {
  if (path === '/v1/usage' && method === 'get') return USAGE_RUNS
  if (method === 'post' && PASSWORD_PATHS.includes(path)) return PASSWORD_RUNS
  // The body of HEAD cannot be wrong, and a path without a token has little to answer.
  return `${method} ${path}` in REACHED ? RUNS : PLAIN_RUNS
}

for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    test(`${method} ${path} answers as the document says`, async (context) => {
      context.diagnostic(`seed ${seed}`)
      const given = { known: knownFor(path, method), bodies: bodiesFor(path, operation) }
      const place = { path, method: method.toUpperCase(), operation, ...given }
      const seen = new Set<number>()
      const property = fc.asyncProperty(
        drawQuestion(place),
        fc.nat({ max: authorizations.length - 1 }),
        async (question, token) => {
          monotonicMs += path === '/v1/setup' ? HURRY_MS : PAUSE_MS
          const answer = await ask(question, authorizations[token])
          seen.add(answer.status)
          check(path, question.method, answer)
        },
      )
      await fc.assert(property, { seed, numRuns: runsFor(method, path) })
      if (!isLongForm) return
      for (const status of REACHED[`${method} ${path}`] ?? []) {
        assert.ok(seen.has(status), `no answer had status ${status}`)
      }
    })
  }
}

test('a token in a hurry is answered as the document says, until and after it has to wait', async () => {
  const authorization = await api.authorize('read:usage', 'read:keys')
  const operation = document.paths['/v1/usage']?.['get']
  assert.ok(operation !== undefined)
  const counts = { waited: 0, answered: 0 }
  const property = fc.asyncProperty(
    drawQuestion({ path: '/v1/usage', method: 'GET', operation, known: [], bodies: [] }),
    async (question) => {
      const answer = await ask(question, authorization)
      check('/v1/usage', question.method, answer)
      if (answer.status === 429) counts.waited += 1
      else if (answer.status !== 405) counts.answered += 1
    },
  )
  await fc.assert(property, { seed, numRuns: BUSY_RUNS })
  assert.equal(counts.answered, 60)
  assert.ok(counts.waited > 20)
})

test('what cannot be read as HTTP is refused without a body', async () => {
  // A byte above ASCII stands in no address.
  const answer = await ask(
    { method: 'GET', target: '/v1/usage?metric=\u00ff', body: null },
    undefined,
  )
  assert.deepEqual([answer.status, answer.text, answer.headers.connection], [400, '', 'close'])
  assert.match(document.info.description, /refused without a body \(400/)
})

test('what the document does not describe would be found', async () => {
  const answer = await ask({ method: 'GET', target: '/v1/info', body: null }, undefined)
  check('/v1/info', 'GET', answer)
  for (const changed of [
    { ...answer, status: 500 },
    { ...answer, status: 418 },
    { ...answer, text: '{}' },
    { ...answer, headers: { 'content-type': 'text/html' } },
  ]) {
    assert.throws(() => check('/v1/info', 'GET', changed), assert.AssertionError)
  }
})
