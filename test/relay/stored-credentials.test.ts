// With a Weir key in each place of every provider, the upstream receives to the byte what a direct
// call with the stored credential would have sent. The places are written here by hand, apart from
// the program's.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createProvider, PROVIDERS } from '../../src/providers/registry.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import type { RawClient } from '../fakes/callers/raw-client.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { answering, openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import type { ScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import { expectRequest, toWeirRequest } from './expected-wire.ts'
import { OK } from './wire-case.ts'

const STORED = 'sk-stored_credential-1'
const FOREIGN = 'sk-brought-by-the-caller'

/** How a caller writes a credential there, with `{}` for it. */
const PLACES = {
  bearer: 'Authorization: Bearer {}',
  'x-api-key': 'X-Api-Key: {}',
  'api-key': 'api-key: {}',
  'x-goog-api-key': 'x-goog-api-key: {}',
  '?key': 'key={}',
  '?api-key': 'api-key={}',
} as const

type Place = keyof typeof PLACES

interface Taken {
  readonly path: string
  /** The first is where Weir puts a credential by itself. */
  readonly places: readonly Place[]
}

const CHAT: Taken = { path: '/v1/chat/completions', places: ['bearer'] }

/** Those that are not here take bearer tokens alone. */
const TAKEN: Readonly<Record<string, readonly Taken[]>> = {
  anthropic: [
    { path: '/v1/messages', places: ['x-api-key'] },
    { path: '/v1/chat/completions', places: ['bearer', 'x-api-key'] },
  ],
  azure: [
    { path: '/openai/v1/responses', places: ['api-key', 'bearer', '?api-key'] },
    { path: '/anthropic/v1/messages', places: ['api-key', 'bearer', '?api-key', 'x-api-key'] },
  ],
  google: [
    { path: '/v1beta/models/gemini:generateContent', places: ['x-goog-api-key', '?key'] },
    { path: '/v1beta/openai/chat/completions', places: ['bearer', 'x-goog-api-key', '?key'] },
  ],
  vertex: [
    {
      path: '/v1/publishers/google/models/gemini:streamGenerateContent',
      places: ['bearer', 'x-goog-api-key', '?key'],
    },
  ],
  gateway: [{ path: '/v1/messages', places: ['bearer', 'x-api-key'] }],
  'my-gemini': [{ path: '/models/g:generateContent', places: ['x-goog-api-key', '?key'] }],
}

const OWN = createProvider({ id: 'my-gemini', shape: 'gemini', upstream: 'http://own' })
const ALL = [...PROVIDERS, OWN]

/** Added lines have the spelling of the provider's own clients. */
const ADDED: Readonly<Record<string, string>> = {
  ...PLACES,
  'x-api-key': 'x-api-key: {}',
}

interface Written {
  readonly path: string
  readonly lines?: readonly string[]
  readonly query?: readonly string[]
  readonly minor?: number
}

const BODY = '{"model":"m"}'

/** A direct call, with what is odd but allowed in a head. */
function write({ path, lines = [], query = [], minor = 1 }: Written): string {
  const search = ['alt=sse', ...query, 'b=%20'].join('&')
  const head = [
    `POST ${path}?${search} HTTP/1.${minor}`,
    'Host: api.example',
    'accept:*/*',
    ...lines.slice(0, 1),
    'X-Custom:  kept ',
    `Content-Length: ${BODY.length}`,
    ...lines.slice(1),
  ]
  return `${head.join('\r\n')}\r\n\r\n${BODY}`
}

/** The header in which the credential of a parameter goes on, where the provider takes it there. */
const TWINS: Readonly<Partial<Record<Place, Place>>> = {
  '?key': 'x-goog-api-key',
  '?api-key': 'api-key',
}

/** The call with a credential in one place. */
function writeIn(place: Place, credential: string, path: string): string {
  const text = PLACES[place].replace('{}', credential)
  return place.startsWith('?') ? write({ path, query: [text] }) : write({ path, lines: [text] })
}

/** The call without one, and then the credential as the last line. */
function writeLast(place: Place, path: string, minor = 1): string {
  const plain = write({ path, minor })
  const end = plain.indexOf('\r\n\r\n')
  const line = (ADDED[place] as string).replace('{}', STORED)
  return `${plain.slice(0, end)}\r\n${line}${plain.slice(end)}`
}

let upstream: ScriptedUpstream
let proxy: TestProxy
let client: RawClient

before(async () => {
  upstream = await openScriptedUpstream(answering(OK))
  const ids = ALL.map(({ id }) => id)
  proxy = await openTestProxy({
    upstreams: Object.fromEntries(ids.map((id) => [id, `${upstream.url}/base`])),
    providers: ALL,
    credentials: Object.fromEntries(ids.map((id) => [id, { choose: () => STORED }])),
    key: { useCredentials: ids },
  })
  client = await openRawClient(proxy.port)
})

after(async () => {
  client.socket.destroy()
  await proxy.close()
  await upstream.close()
})

/** Returns what the upstream received since, on whichever connection. */
function mark(): () => string {
  const lengths = upstream.connections.map(({ received }) => received.length)
  return () =>
    upstream.connections.map(({ received }, at) => received.slice(lengths[at] ?? 0)).join('')
}

/** What the upstream receives of one call, which the caller writes as for a direct one. */
async function relay(provider: string, direct: string, svcLines: string[] = []): Promise<string> {
  const received = mark()
  const answered = client.received.length
  client.send(toWeirRequest(direct, { prefix: `/v1/${provider}`, svcLines }))
  await client.until((text) => text.endsWith('ok') && text.length > answered)
  return received()
}

function expected(direct: string): string {
  return expectRequest(direct, { host: new URL(upstream.url).host, basePath: '/base' })
}

for (const { id } of ALL) {
  for (const { path, places } of TAKEN[id] ?? [CHAT]) {
    const [first] = places as [Place]
    describe(`${id} ${path}`, () => {
      for (const place of Object.keys(PLACES) as Place[]) {
        test(`a Weir key in ${place} becomes the stored credential`, async () => {
          const twin = TWINS[place]
          const added = twin !== undefined && places.includes(twin) ? twin : first
          const isKept = twin === undefined && places.includes(place)
          const direct = isKept ? writeIn(place, STORED, path) : writeLast(added, path)
          assert.equal(await relay(id, writeIn(place, proxy.credential, path)), expected(direct))
        })
      }

      test('a call without any credential gets the stored one', async () => {
        const svcLines = [`X-SVC-API-Key: ${proxy.credential}`]
        const direct = write({ path })
        assert.equal(await relay(id, direct, svcLines), expected(writeLast(first, path)))
      })

      for (const place of places) {
        test(`a call with a credential of its own in ${place} goes on as it came`, async () => {
          const svcLines = [`X-SVC-API-Key: ${proxy.credential}`]
          const direct = writeIn(place, FOREIGN, path)
          assert.equal(await relay(id, direct, svcLines), expected(direct))
        })
      }
    })
  }
}

test('a Weir key in every place becomes one credential', async () => {
  const lines = [PLACES['x-goog-api-key'], PLACES.bearer, PLACES['x-api-key']]
  const filled = lines.map((line) => line.replace('{}', proxy.credential))
  const path = '/v1beta/models/gemini:generateContent'
  const query = [`key=${proxy.credential.replace('_', '%5F')}`]
  const direct = writeIn('x-goog-api-key', STORED, path)
  assert.equal(await relay('google', write({ path, lines: filled, query })), expected(direct))
})

/** On connections of their own: these end them. */
async function relayOnce(provider: string, direct: string): Promise<string> {
  const received = mark()
  const other = await openRawClient(proxy.port)
  other.send(toWeirRequest(direct, { prefix: `/v1/${provider}`, svcLines: [] }))
  await other.until((text) => text.endsWith('ok'))
  other.socket.destroy()
  return received()
}

test('a Weir key is replaced in HTTP/1.0', async () => {
  const { path } = CHAT
  const line = (credential: string): string => PLACES.bearer.replace('{}', credential)
  const given = write({ path, lines: [line(proxy.credential)], minor: 0 })
  const direct = write({ path, lines: [line(STORED)], minor: 0 })
  assert.equal(await relayOnce('openai', given), expected(direct))
})

test('a Weir key is replaced in the request for a WebSocket', async () => {
  const ask = (credential: string): string =>
    [
      'GET /v1/realtime?model=m HTTP/1.1',
      'Host: api.example',
      'Connection: Upgrade',
      `authorization: bearer ${credential}`,
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Protocol: realtime',
      '',
      '',
    ].join('\r\n')
  assert.equal(await relayOnce('openai', ask(proxy.credential)), expected(ask(STORED)))
})

test('nothing of a credential is in the journal, the log or the figures', async () => {
  const events = await proxy.events(1)
  const kept = JSON.stringify([events, proxy.logged, proxy.warned, proxy.meter.samples()])
  const [, secret = ''] = proxy.credential.split('.')
  for (const text of [secret, STORED, FOREIGN]) assert.ok(!kept.includes(text))
})
