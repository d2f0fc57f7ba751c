// Signing in from Claude Code without a key, in the real program: each step of its protocol, by a
// client that was written from the protocol alone, and what an attacker might do instead.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import {
  askCodes,
  askForm,
  askUrl,
  poll,
  refresh,
  toTokens,
} from '../fakes/callers/device-client.ts'
import type { Answer } from '../fakes/callers/device-client.ts'
import { until } from '../e2e/people.ts'
import { callMessages, MODEL, openClaudeScene, STORED } from './claude-scene.ts'
import type { ClaudeScene, Person } from './claude-scene.ts'

const closes: (() => Promise<void>)[] = []
let scene: ClaudeScene
let ada: Person

before(async () => {
  scene = await openClaudeScene({ after: (close) => closes.push(close) })
  ada = await scene.person('ada')
})

after(async () => {
  for (const close of closes.toReversed()) await close()
})

const errorOf = ({ json }: Answer) => json?.['error']
const bearer = (access: string) => ({ headers: { authorization: `Bearer ${access}` } })

/** By both workers: a change is known to each within a second. */
async function untilRefused(access: string): Promise<void> {
  let refused = 0
  await until(async () => {
    refused = (await callMessages(scene.base, access)).status === 401 ? refused + 1 : 0
    return refused === 12
  })
}

async function decide(person: Person, what: 'approve' | 'deny' | 'find', body: object) {
  const answer = await person.browser.ask(`/v1/device/${what}`, { method: 'POST', body })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

test('the client looks at the base URL before it begins', async () => {
  assert.equal((await askUrl(scene.base, { method: 'HEAD' })).status, 200)
  assert.equal((await askUrl(`${scene.base}/`)).status, 200)
  const unknown = await askUrl(`${scene.base}/v1/files`)
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.json?.['type'], 'error')
})

test('a person approves a code, and calls are theirs, in their team', async () => {
  const codes = await askCodes(scene.found)
  const { api } = scene.program.addresses
  assert.equal(codes.page, `${api}/device`)
  assert.equal(codes.pageWithCode, `${api}/device?user_code=${codes.userCode}`)
  const pending = await poll(scene.found, codes.deviceCode)
  assert.deepEqual([pending.status, errorOf(pending)], [400, 'authorization_pending'])
  assert.deepEqual(errorOf(await poll(scene.found, codes.deviceCode)), 'slow_down')

  const shown = await decide(ada, 'find', { user_code: codes.userCode.toLowerCase() })
  assert.equal(shown.status, 200)
  assert.equal(shown.json['agent'], 'device-client/1.0')
  assert.equal(shown.json['address'], '127.0.0.1')
  assert.equal(shown.json['email'], ada.email)
  assert.deepEqual(shown.json['teams'], [{ id: scene.teamId, name: 'Search' }])
  const body = { user_code: codes.userCode, team_id: scene.teamId }
  assert.equal((await decide(ada, 'approve', body)).status, 200)
  assert.equal((await decide(ada, 'approve', body)).status, 404, 'a code is decided once')

  const tokens = toTokens(await poll(scene.found, codes.deviceCode))
  assert.equal(tokens.email, ada.email)
  assert.equal(tokens.expiresIn, 86_400)
  const replayed = await poll(scene.found, codes.deviceCode)
  assert.deepEqual([replayed.status, errorOf(replayed)], [400, 'invalid_grant'])

  const seen = scene.provider.attempts.length
  const answer = await callMessages(scene.base, tokens.access)
  assert.equal(answer.status, 200, answer.text)
  const attempt = scene.provider.attempts[seen]
  assert.equal(attempt?.url, '/v1/messages?beta=true')
  assert.ok(!attempt.rawHeaders.some((text) => text.includes('svc_k_')))
  assert.ok(attempt.rawHeaders.some((text) => text.includes(STORED)))
  assert.match(attempt.body.toString(), /Name a river/)
  const { event } = await scene.record(String(answer.headers['x-svc-request-id']))
  const { '@team': team, '@person': person } = event.dims
  assert.deepEqual([team, person], [scene.teamId, ada.id])
  assert.equal(event.model, 'claude-fake-1')
})

test('the bytes of a call and of its answer are the others’, but for rate limits', async () => {
  const { access } = await ada.signIn()
  const seen = scene.provider.attempts.length
  const here = await callMessages(scene.base, access)
  const direct = await callMessages(`${scene.program.addresses.proxy}/v1/anthropic`, access)
  const [one, other] = scene.provider.attempts.slice(seen)
  assert.deepEqual(one?.rawHeaders, other?.rawHeaders)
  assert.deepEqual(one?.body, other?.body)
  assert.equal(here.text, direct.text)
  const strip = ({ headers }: Answer) => {
    const { date: _d, 'x-svc-request-id': _r, ...rest } = headers
    return Object.fromEntries(
      Object.entries(rest).filter(([name]) => !name.startsWith('anthropic-ratelimit-')),
    )
  }
  assert.deepEqual(strip(here), strip(direct))
  assert.equal(direct.headers['anthropic-ratelimit-requests-remaining'], '3999')
  assert.ok(!Object.keys(here.headers).some((name) => name.startsWith('anthropic-ratelimit-')))
})

test('a code that is denied gives nothing', async () => {
  const { userCode, deviceCode } = await askCodes(scene.found)
  assert.equal((await decide(ada, 'deny', { user_code: userCode })).status, 200)
  const denied = await poll(scene.found, deviceCode)
  assert.deepEqual([denied.status, errorOf(denied)], [400, 'access_denied'])
})

test('a refresh rotates both tokens, and an old one from elsewhere ends the sign-in', async () => {
  const first = await ada.signIn()
  const second = toTokens(await refresh(scene.found, first.refresh))
  assert.notEqual(second.access, first.access)
  assert.notEqual(second.refresh, first.refresh)
  await until(async () => (await callMessages(scene.base, second.access)).status === 200)

  // Another window of the same client comes with what it has, and takes what was stored meanwhile.
  const late = await refresh(scene.found, first.refresh)
  assert.deepEqual([late.status, errorOf(late)], [401, 'invalid_grant'])
  assert.equal((await callMessages(scene.base, second.access)).status, 200)

  const stolen = await refresh(scene.found, first.refresh, '127.0.0.2')
  assert.deepEqual([stolen.status, errorOf(stolen)], [401, 'invalid_grant'])
  await until(async () => (await callMessages(scene.base, second.access)).status === 401)
  const ended = await refresh(scene.found, second.refresh)
  assert.deepEqual([ended.status, errorOf(ended)], [401, 'invalid_grant'])
})

test('signing out ends the access, by either token', async () => {
  for (const kind of ['access', 'refresh'] as const) {
    const tokens = await ada.signIn()
    await until(async () => (await callMessages(scene.base, tokens.access)).status === 200)
    const hint = { token_type_hint: `${kind}_token` }
    const revoked = await askForm(scene.found.revocation, { token: tokens[kind], ...hint })
    assert.equal(revoked.status, 200)
    await until(async () => (await callMessages(scene.base, tokens.access)).status === 401)
    assert.equal((await refresh(scene.found, tokens.refresh)).status, 401)
  }
  assert.equal((await askForm(scene.found.revocation, { token: 'nonsense' })).status, 200)
})

test('who is deactivated is out at the next call, and cannot refresh', async () => {
  const eve = await scene.person('eve')
  const { access, refresh: token } = await eve.signIn()
  assert.equal((await callMessages(scene.base, access)).status, 200)
  await scene.commands.json('users', 'update', eve.email, '--disable')
  await untilRefused(access)
  const refused = await callMessages(scene.base, access)
  assert.equal(refused.status, 401)
  assert.equal(refused.headers['x-should-retry'], 'false')
  assert.equal((errorOf(refused) as { type: string }).type, 'authentication_error')
  assert.equal((await refresh(scene.found, token)).status, 401)
  for (const path of ['/managed/settings', '/api/oauth/usage']) {
    assert.equal((await askUrl(scene.base + path, bearer(access))).status, 401)
  }
})

test('a model that the team does not allow is an invalid request', async () => {
  const words = ['--name', 'Narrow', '--slug', 'narrow', '--use-credential', 'anthropic']
  const { json } = scene.commands
  const model = ['--allow-model', `anthropic/${MODEL}`]
  const { id } = await json<{ id: string }>('teams', 'create', ...words, ...model)
  const max = await scene.person('max')
  await json('teams', 'add', 'narrow', max.email)
  const { userCode, deviceCode } = await askCodes(scene.found)
  const approved = await decide(max, 'approve', { user_code: userCode, team_id: id })
  assert.equal(approved.status, 200, JSON.stringify(approved.json))
  const { access } = toTokens(await poll(scene.found, deviceCode))
  assert.equal((await callMessages(scene.base, access)).status, 200)
  const refused = await callMessages(scene.base, access, { model: 'claude-opus-4-1' })
  assert.equal(refused.status, 400)
  assert.equal(refused.headers['x-should-retry'], 'false')
  assert.equal((errorOf(refused) as { type: string }).type, 'invalid_request_error')
})

test('a budget is shown on answers, in dollars, and by the refusal once it is used up', async () => {
  const price = ['prices', 'set', 'anthropic', 'claude-fake-1', '--input', '10', '--output', '20']
  await scene.commands.json(...price)
  const lea = await scene.person('lea')
  const { access } = await lea.signIn()
  const usage = () => askUrl(`${scene.base}/api/oauth/usage`, bearer(access))
  const none = (await usage()).json as { limits: unknown[]; extra_usage: Record<string, unknown> }
  assert.deepEqual(none.limits, [])
  assert.equal(none.extra_usage['monthly_limit'], null)
  assert.deepEqual(none.extra_usage['daily'], { limit: null, used_credits: 0, utilization: null })

  const scope = ['--scope', `person=${lea.email}`, '--period', 'month', '--block']
  const words = ['budgets', 'create', '--name', 'Lea', '--limit-usd', '0.0002', ...scope]
  await scene.commands.json(...words)
  let answer = await callMessages(scene.base, access)
  const firstId = String(answer.headers['x-svc-request-id'])
  await until(async () => {
    answer = await callMessages(scene.base, access)
    return answer.headers['anthropic-ratelimit-unified-status'] !== undefined
  })
  if (answer.status === 200) {
    const { headers } = answer
    assert.equal(headers['anthropic-ratelimit-unified-representative-claim'], 'overage')
    assert.match(String(headers['anthropic-ratelimit-unified-overage-utilization']), /^0\.\d\d$/)
    assert.equal(headers['anthropic-ratelimit-requests-remaining'], undefined)
  }
  await until(async () => {
    answer = await callMessages(scene.base, access)
    return answer.status !== 200
  })
  assert.equal(answer.status, 429, answer.text)
  const { type, message } = errorOf(answer) as { type: string; message: string }
  assert.equal(type, 'billing_error')
  assert.match(message, /^Your budget of \$0\.00 this month is used up\. It resets on 1 \w+, 00:00/)
  const header = (name: string) => answer.headers[`anthropic-ratelimit-unified-${name}`]
  const now = new Date()
  const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) / 1000
  assert.deepEqual(
    ['status', 'reset', 'overage-reset', 'overage-utilization', 'overage-surpassed-threshold'].map(
      header,
    ),
    ['rejected', String(reset), String(reset), '1', '1'],
  )
  assert.equal(header('overage-period'), 'monthly')
  assert.equal(header('overage-disabled-reason'), 'org_spend_cap_reached')
  assert.equal(header('representative-claim'), undefined)
  assert.equal(header('overage-status'), undefined)
  assert.equal(header('overage-scope'), undefined)
  assert.equal(answer.headers['x-should-retry'], 'false')
  assert.ok(Number(answer.headers['retry-after']) > 0)

  // The limits count a call when it begins, the ledger when it has ended.
  await scene.record(firstId)
  const shown = (await usage()).json as { limits: { percent: number; resets_at: string }[] }
  const [limit] = shown.limits
  assert.deepEqual([limit?.percent, Date.parse(limit?.resets_at ?? '')], [100, reset * 1000])
})

test('managed settings are the team’s, and told only where they changed', async () => {
  const { access } = await ada.signIn()
  const ask = (headers = {}) =>
    askUrl(`${scene.base}/managed/settings`, {
      headers: { authorization: `Bearer ${access}`, ...headers },
    })
  assert.equal((await ask()).status, 404)
  writeFileSync(join(scene.managedSettings, 'default.json'), '{}')
  assert.deepEqual((await ask()).json?.['settings'], {})
  const file = join(scene.managedSettings, 'search.json')
  writeFileSync(file, '{ "permissions": { "deny": ["WebFetch"], "allow": [] }, "env": {"B": "1"} }')
  const { json, headers } = await ask()
  const plain = '{"env":{"B":"1"},"permissions":{"allow":[],"deny":["WebFetch"]}}'
  const checksum = `sha256:${createHash('sha256').update(plain).digest('hex')}`
  assert.equal(json?.['checksum'], checksum)
  assert.equal(headers.etag, `"${checksum}"`)
  assert.match(String(json['uuid']), /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  const again = await ask({ 'if-none-match': `"${checksum}"` })
  assert.deepEqual([again.status, again.text], [304, ''])
  assert.equal((await ask({ 'if-none-match': '*' })).status, 200)
  writeFileSync(file, '[1]')
  assert.equal((await ask()).status, 500)
  assert.equal((await askUrl(`${scene.base}/managed/settings`)).status, 401)
})

test('telemetry is taken and dropped, whatever its size', async () => {
  for (const signal of ['metrics', 'logs', 'traces']) {
    for (const size of [2, 1_000_000]) {
      const { status } = await askUrl(`${scene.base}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(size),
      })
      assert.equal(status, 200)
    }
  }
  const large = { surface: 'x'.repeat(70_000) }
  assert.equal((await askForm(scene.found.device, large)).status, 413)
})

test('nobody decides without a session, from another site, or by a code that is pre-filled', async () => {
  const { userCode, deviceCode, pageWithCode } = await askCodes(scene.found)
  const body = { user_code: userCode, team_id: scene.teamId }
  const { api } = scene.program.addresses
  const json = { 'content-type': 'application/json' }
  const stranger = { method: 'POST', headers: json, body: JSON.stringify(body) }
  assert.equal((await askUrl(`${api}/v1/device/approve`, stranger)).status, 401)
  const { admin: token } = scene
  const program = { ...stranger, headers: { ...json, authorization: `Bearer ${token}` } }
  assert.equal((await askUrl(`${api}/v1/device/approve`, program)).status, 401)
  for (const site of ['cross-site', 'same-site', 'none']) {
    const headers = { 'sec-fetch-site': site }
    const answer = await ada.browser.ask('/v1/device/approve', { method: 'POST', body, headers })
    assert.equal(answer.status, 403, site)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = { method: 'POST', body: new URLSearchParams(body).toString(), headers: form }
  assert.equal((await ada.browser.ask('/v1/device/approve', sent)).status, 403)
  const opened = await ada.browser.ask(pageWithCode.slice(api.length))
  assert.equal(opened.status, 200)
  assert.equal((await ada.browser.ask(`/v1/device/approve?user_code=${userCode}`)).status, 405)
  assert.equal(errorOf(await poll(scene.found, deviceCode)), 'authorization_pending')
})

test('user codes are not found by guessing, and a person in no team approves nothing', async () => {
  const mallory = await scene.person('mallory')
  const { userCode } = await askCodes(scene.found)
  await scene.commands.json('teams', 'remove', 'search', mallory.email)
  const refused = await decide(mallory, 'approve', { user_code: userCode, team_id: scene.teamId })
  assert.equal(refused.status, 403)
  assert.match(String(refused.json['error']), /in no team/)
  const statuses: number[] = []
  for (let at = 0; at < 20; at++) {
    statuses.push((await decide(mallory, 'find', { user_code: 'BBBB-BBBB' })).status)
  }
  assert.deepEqual(new Set(statuses), new Set([404, 429]))
  assert.equal((await decide(mallory, 'find', { user_code: userCode })).status, 429)
})

test('one address cannot ask for codes without end, and the others still can', async () => {
  const from = '127.0.0.3'
  const ask = () => askForm(scene.found.device, {}, from)
  const answers: Answer[] = []
  while ((answers.at(-1)?.status ?? 200) === 200 && answers.length < 50) answers.push(await ask())
  const last = answers.at(-1)
  assert.deepEqual([last?.status, last && errorOf(last)], [429, 'slow_down'])
  assert.equal((await askForm(scene.found.device, {}, '127.0.0.4')).status, 200)
})

test('no secret of a sign-in is in the answers for people, the audit log or the logs', async () => {
  const { access, refresh: token } = await ada.signIn()
  const [, accessSecret = ''] = access.split('.')
  const [, refreshSecret = ''] = token.split('.')
  const { api } = scene.program.addresses
  for (const path of ['/v1/keys?limit=100', '/v1/audit?limit=100']) {
    const { status, text } = await askUrl(api + path, bearer(scene.admin))
    assert.equal(status, 200)
    assert.match(text, /Claude Code/)
    assert.ok(!text.includes(accessSecret) && !text.includes(refreshSecret))
  }
})
