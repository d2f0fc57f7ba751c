// TLS on the API's port, with the real program: links, cookies, commands, and new certificates.

import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'

import { certificatePath, readAuthority } from '../../fakes/certificates.ts'
import { parseMetrics } from '../../fakes/parse-metrics.ts'
import { openIdentityProvider } from '../../fakes/peers/identity-provider.ts'
import type { IdentityProvider } from '../../fakes/peers/identity-provider.ts'
import { createEnvironment, openProgram, runWeir } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'

const PASSWORD = 'correct horse battery'
const dir = mkdtempSync(join(tmpdir(), 'weir-api-tls-'))
const files = { cert: join(dir, 'api.pem'), key: join(dir, 'api.key') }
let identity: IdentityProvider
let program: Program

before(async () => {
  copyPair('server')
  identity = await openIdentityProvider()
  program = await openProgram({
    settings: {
      API_TLS_CERT: files.cert,
      API_TLS_KEY: files.key,
      PROXY_WORKERS: '1',
      OIDC_ISSUER: identity.issuer,
      OIDC_CLIENT_ID: 'weir',
      OIDC_ADMIN_VALUES: '*',
    },
  })
})

after(async () => {
  await program.close()
  await identity.close()
  rmSync(dir, { recursive: true })
})

function copyPair(name: 'server' | 'elsewhere'): void {
  copyFileSync(certificatePath(`${name}.pem`), files.cert)
  copyFileSync(certificatePath(`${name}.key`), files.key)
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

async function ask(path: string, body?: object): Promise<Answer> {
  const sent = request(program.addresses.api + path, {
    ca: readAuthority(),
    agent: false,
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' } }),
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, headers: response.headers, text }
}

/** The names that the certificate on the API's port is for. */
async function readNames(): Promise<string | undefined> {
  const port = Number(new URL(program.addresses.api).port)
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subjectaltname } = socket.getPeerCertificate()
  socket.destroy()
  return subjectaltname
}

test('the API and the console are served by TLS, and printed links say so', async () => {
  const { api, console, setup, proxy } = program.addresses
  assert.match(api, /^https:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(console, `${api}/`)
  assert.ok(setup?.startsWith(`${api}/setup?code=`), String(setup))
  // The proxy's port has a certificate of its own, or none.
  assert.match(proxy, /^http:/)
  assert.equal((await ask('/healthz')).status, 200)
  const { proxy_url } = JSON.parse((await ask('/v1/info')).text) as { proxy_url: string }
  assert.equal(proxy_url, proxy)
})

test('cookies are for TLS only, and no other port of the host is bound to it', async () => {
  const code = new URL(program.addresses.setup ?? '').searchParams.get('code')
  const user = { code, email: 'ada@example.com', name: 'Ada', password: PASSWORD }
  const made = await ask('/v1/setup', user)
  assert.equal(made.status, 201, made.text)
  const cookies = made.headers['set-cookie'] ?? []
  assert.ok(cookies.length > 0)
  for (const cookie of cookies) assert.match(cookie, /; Secure$/)
  // It would apply to the proxy's port as well, which may speak plain HTTP.
  assert.equal(made.headers['strict-transport-security'], undefined)
})

test('an identity provider sends users back to the https URL', async () => {
  const { status, headers } = await ask('/v1/oidc/start')
  assert.equal(status, 302)
  const { searchParams } = new URL(headers.location ?? '')
  assert.equal(searchParams.get('redirect_uri'), `${program.addresses.api}/v1/oidc/callback`)
})

test('commands ask it by its URL, once they trust its authority', async () => {
  const create = ['tokens', 'create', '--name', 'me', '--scope', 'read:usage']
  const { token } = await program.json<{ token: string }>(...create)
  const words = ['usage', '--metric', 'requests', '--window', 'today']
  const url = program.addresses.api
  const trusting = { NODE_EXTRA_CA_CERTS: certificatePath('authority.pem') }
  const env = createEnvironment({ TOKEN: token, URL: url })
  const known = await runWeir(words, { cwd: dir, env: { ...env, ...trusting } })
  assert.equal(known.code, 0, known.err)
  const unknown = await runWeir(words, { cwd: dir, env })
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /certificate[^]*NODE_EXTRA_CA_CERTS/)
})

test('plain HTTP on the port is cut off and counted', async () => {
  const countFailures = async (): Promise<number> => {
    const metrics = parseMetrics((await ask('/metrics')).text)
    return metrics.get('weir_tls_handshake_failures_total')?.samples[0]?.value ?? 0
  }
  const before = await countFailures()
  const socket = connect(Number(new URL(program.addresses.api).port), '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  socket.on('error', () => {})
  await once(socket, 'close')
  assert.equal(await countFailures(), before + 1)
})

test('weir doctor examines its certificate', async () => {
  const { out } = await program.weir('doctor')
  assert.match(out, /certificates\s+1 valid for at least 30 days/)
})

test('SIGHUP serves a new certificate', async () => {
  assert.match((await readNames()) ?? '', /DNS:localhost/)
  copyPair('elsewhere')
  program.signal('SIGHUP')
  await program.untilSaid('configuration reloaded')
  assert.equal(await readNames(), 'DNS:elsewhere.test')
})
