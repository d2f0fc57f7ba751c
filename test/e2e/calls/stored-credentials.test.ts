// Providers' own clients with a base URL and a Weir key as their API key, through the real program:
// they are answered or refused as by the provider, and no secret is left anywhere.

import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { createGateway } from '@ai-sdk/gateway'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { Mistral } from '@mistralai/mistralai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { generateText } from 'ai'
import { CohereClientV2 } from 'cohere-ai'
import Groq from 'groq-sdk'
import OpenAI, { AzureOpenAI } from 'openai'

import { systemClock } from '../../../src/core/clock.ts'
import { OPEN_KEY } from '../../../src/resources/codecs.ts'
import { openSettingsStore } from '../../../src/store/open-store.ts'
import type { CreatedKey } from '../../../src/store/settings/key-store.ts'
import { anthropicCases } from '../../clients/anthropic-cases.ts'
import { bedrockCases } from '../../clients/bedrock-cases.ts'
import type { ClientCase } from '../../clients/client-case.ts'
import { cohereCases } from '../../clients/cohere-cases.ts'
import { gatewayCases } from '../../clients/gateway-cases.ts'
import { googleCases } from '../../clients/google-cases.ts'
import { groqCases } from '../../clients/groq-cases.ts'
import { mistralCases } from '../../clients/mistral-cases.ts'
import { openaiCases } from '../../clients/openai-cases.ts'
import { createEnvironment, openProgram, runWeir } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { openReplyingUpstream } from '../../fakes/upstreams/replying-upstream.ts'
import type {
  Attempt,
  AnswerReply,
  ReplyingUpstream,
} from '../../fakes/upstreams/replying-upstream.ts'

const STORED = 'stored-credential-5f0c1d'
const MESSAGES = [{ role: 'user' as const, content: 'Name a river.' }]
const CHAT = { model: 'm', messages: MESSAGES }
const OPTIONS = { maxRetries: 0 }

interface Client {
  readonly name: string
  readonly provider: string
  /** The header that the provider reads, in lower case, and what is in front of the credential. */
  readonly header: string
  readonly scheme?: string
  readonly reply: AnswerReply
  readonly call: (baseUrl: string, apiKey: string) => Promise<unknown>
}

/** The answer to the first call of a provider's own client is a whole one. */
function replyOf(cases: readonly ClientCase[]): AnswerReply {
  return (cases[0] as ClientCase).reply
}

const BEARER = { header: 'authorization', scheme: 'Bearer ' }

const CLIENTS: readonly Client[] = [
  {
    name: 'openai',
    provider: 'openai',
    ...BEARER,
    reply: replyOf(openaiCases),
    call: (url, apiKey) =>
      new OpenAI({ ...OPTIONS, apiKey, baseURL: `${url}/v1` }).chat.completions.create(CHAT),
  },
  {
    name: 'openai for Azure',
    provider: 'azure',
    header: 'api-key',
    reply: replyOf(openaiCases),
    call: (endpoint, apiKey) => {
      const options = { ...OPTIONS, apiKey, endpoint, apiVersion: '2024-10-21' }
      return new AzureOpenAI(options).chat.completions.create(CHAT)
    },
  },
  {
    name: 'anthropic',
    provider: 'anthropic',
    header: 'x-api-key',
    reply: replyOf(anthropicCases),
    call: (baseURL, apiKey) =>
      new Anthropic({ ...OPTIONS, apiKey, baseURL }).messages.create({ ...CHAT, max_tokens: 1 }),
  },
  {
    name: 'anthropic with a token',
    provider: 'anthropic',
    header: 'x-api-key',
    reply: replyOf(anthropicCases),
    call: (baseURL, authToken) => {
      const client = new Anthropic({ ...OPTIONS, apiKey: null, authToken, baseURL })
      return client.messages.create({ ...CHAT, max_tokens: 1 })
    },
  },
  {
    name: 'google',
    provider: 'google',
    header: 'x-goog-api-key',
    reply: replyOf(googleCases),
    call: (baseUrl, apiKey) =>
      new GoogleGenAI({ apiKey, httpOptions: { baseUrl } }).models.generateContent({
        model: 'gemini',
        contents: 'Name a river.',
      }),
  },
  {
    name: "openai for Google's models",
    provider: 'google',
    ...BEARER,
    reply: replyOf(openaiCases),
    call: (url, apiKey) => {
      const client = new OpenAI({ ...OPTIONS, apiKey, baseURL: `${url}/v1beta/openai` })
      return client.chat.completions.create(CHAT)
    },
  },
  {
    name: 'mistral',
    provider: 'mistral',
    ...BEARER,
    reply: replyOf(mistralCases),
    call: (serverURL, apiKey) => new Mistral({ apiKey, serverURL }).chat.complete(CHAT),
  },
  {
    name: 'cohere',
    provider: 'cohere',
    ...BEARER,
    reply: replyOf(cohereCases),
    call: (environment, token) =>
      new CohereClientV2({ token, environment, maxRetries: 0 }).chat(CHAT),
  },
  {
    name: 'groq',
    provider: 'groq',
    ...BEARER,
    reply: replyOf(groqCases),
    call: (baseURL, apiKey) =>
      new Groq({ ...OPTIONS, apiKey, baseURL }).chat.completions.create(CHAT),
  },
  {
    name: 'the AI SDK at the gateway',
    provider: 'gateway',
    ...BEARER,
    reply: replyOf(gatewayCases),
    call: (url, apiKey) => {
      const gateway = createGateway({ apiKey, baseURL: `${url}/v4/ai` })
      return generateText({ model: gateway('acme/writer'), prompt: 'Hello', maxRetries: 0 })
    },
  },
  {
    name: 'bedrock with a bearer key',
    provider: 'bedrock',
    ...BEARER,
    reply: replyOf(bedrockCases),
    call: (endpoint, token) =>
      new BedrockRuntimeClient({
        endpoint,
        region: 'us-east-1',
        token: { token },
        authSchemePreference: ['httpBearerAuth'],
        maxAttempts: 1,
        requestHandler: new NodeHttpHandler(),
      }).send(
        new ConverseCommand({
          modelId: 'm',
          messages: [{ role: 'user', content: [{ text: 'Name a river.' }] }],
        }),
      ),
  },
]

const PROVIDERS = [...new Set(CLIENTS.map(({ provider }) => provider))]

interface Keys {
  readonly good: string
  readonly without: string
  readonly revoked: string
}

/** Made before the start: a running proxy needs a moment to learn of a key. */
async function makeKeys(dataDir: string): Promise<Keys> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const store = await openSettingsStore({ dataDir, clock: systemClock })
  const make = (name: string, useCredentials: readonly string[]): Promise<CreatedKey> =>
    store.keys.create({ ...OPEN_KEY, name, useCredentials })
  try {
    const { credential: good } = await make('good', PROVIDERS)
    const { credential: without } = await make('without', [])
    const { credential: revoked, key } = await make('revoked', PROVIDERS)
    await store.keys.revoke(key.id)
    return { good, without, revoked }
  } finally {
    await store.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'weir-stored-'))
const file = join(folder, 'openai')
let upstream: ReplyingUpstream
let program: Program
let keys: Keys
let output = ''

before(async () => {
  writeFileSync(file, `${STORED}\n`)
  upstream = await openReplyingUpstream(CLIENTS.map(({ reply }) => reply))
  const settings = PROVIDERS.flatMap((id) => [
    [`PROVIDER_${id.toUpperCase()}_URL`, upstream.url],
    [`PROVIDER_${id.toUpperCase()}_CREDENTIAL`, id === 'openai' ? `file:${file}` : 'env:STORED'],
  ])
  program = await openProgram({
    settings: {
      ...(Object.fromEntries(settings) as Record<string, string>),
      PROXY_WORKERS: '1',
      LOG_LEVEL: 'debug',
    },
    environment: { STORED },
    prepare: async (dataDir) => {
      keys = await makeKeys(dataDir)
    },
  })
  for (const stream of [program.process.stdout, program.process.stderr]) {
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()))
  }
})

after(async () => {
  await program.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})

const baseOf = (provider: string): string => `${program.addresses.proxy}/v1/${provider}`

function valuesOf({ rawHeaders }: Attempt, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

const PLACES = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']

describe('by a base URL and a Weir key alone, the provider is sent the stored credential by', () => {
  for (const { name, provider, header, scheme = '', call } of CLIENTS) {
    test(name, async () => {
      await call(baseOf(provider), keys.good)
      const attempt = upstream.attempts.at(-1) as Attempt
      const sent = PLACES.flatMap((place) => valuesOf(attempt, place).map((text) => [place, text]))
      assert.deepEqual(sent, [[header, `${scheme}${STORED}`]])
      assert.ok(!JSON.stringify([attempt.url, attempt.rawHeaders]).includes('svc_k_'))
    })
  }
})

test(
  "a credential of the environment is in that of the proxy's workers alone",
  { skip: process.platform === 'linux' ? false : 'the environment of a process is read in /proc' },
  () => {
    const hasStored = (role: 'proxy' | 'api' | 'ledger'): boolean[] =>
      program.pids(role).map((pid) => {
        const variables = readFileSync(`/proc/${pid}/environ`, 'latin1')
        assert.match(variables, /PATH=/)
        return variables.includes(STORED)
      })
    assert.deepEqual(
      [hasStored('proxy'), hasStored('api'), hasStored('ledger')],
      [[true], [false], [false]],
    )
  },
)

interface SdkError {
  readonly message?: string
  readonly body?: unknown
  readonly status?: number
  readonly statusCode?: number
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const statusOf = ({ status, statusCode, $metadata }: SdkError): number | undefined =>
  status ?? statusCode ?? $metadata?.httpStatusCode

const REFUSALS: readonly (readonly [
  name: string,
  key: (keys: Keys) => string,
  status: number,
  says: RegExp,
])[] = [
  ['a wrong secret', ({ good }) => `${good}x`, 401, /The Weir key is not a key of this Weir/],
  ['a revoked key', ({ revoked }) => revoked, 401, /was revoked/],
  ['a key without the right', ({ without }) => without, 403, /--use-credential/],
]

describe("as the provider's own error would be, is read by its client", () => {
  for (const { name, provider, call } of CLIENTS) {
    for (const [fault, keyOf, status, says] of REFUSALS) {
      test(`${fault}: ${name}`, async () => {
        const before = upstream.attempts.length
        const error = await call(baseOf(provider), keyOf(keys)).then(
          () => assert.fail('it was not refused'),
          (thrown: unknown) => thrown as SdkError,
        )
        // The gateway's client has a status of its own for what it takes for a refusal.
        if (provider !== 'gateway') assert.equal(statusOf(error), status)
        assert.match(`${error.message} ${JSON.stringify(error.body ?? '')}`, says)
        assert.equal(upstream.attempts.length, before)
      })
    }
  }
})

/** Only what hangs takes so long. */
const ROTATED_MS_MAX = 120_000

test('a file that is written again is used without a restart', async () => {
  writeFileSync(`${file}.next`, 'rotated-credential')
  renameSync(`${file}.next`, file)
  const until = systemClock.monotonic() + ROTATED_MS_MAX
  let sent: string[] = []
  while (sent[0] !== 'Bearer rotated-credential') {
    assert.ok(systemClock.monotonic() < until, String(sent))
    await fetch(`${baseOf('openai')}/v1/models`, { headers: { 'x-svc-api-key': keys.good } })
    sent = valuesOf(upstream.attempts.at(-1) as Attempt, 'authorization')
    await pause(50)
  }
})

test('a reload with a credential that is gone changes nothing, and neither does a start', async () => {
  rmSync(file)
  program.signal('SIGHUP')
  await program.untilSaid('the configuration was not reloaded, nothing has changed')
  const headers = { 'x-svc-api-key': keys.good }
  const { status } = await fetch(`${baseOf('openai')}/v1/models`, { headers })
  assert.equal(status, 200)
  const settings = { DATA_DIR: join(folder, 'data'), PROVIDER_OPENAI_CREDENTIAL: STORED }
  for (const [reference, says] of [
    [`file:${file}`, /openai\.credential: names .*, which does not exist/],
    ['env:NO_SUCH_VARIABLE_HERE', /names the variable NO_SUCH_VARIABLE_HERE, which is not set/],
    [STORED, /never the credential itself/],
  ] as const) {
    const env = createEnvironment({ ...settings, PROVIDER_OPENAI_CREDENTIAL: reference })
    const { code, out, err } = await runWeir(['start'], { cwd: folder, env })
    assert.equal(code, 1)
    assert.match(err, says)
    assert.ok(!`${out}${err}`.includes(STORED))
  }
})

/** The status, once it is the wanted one; while there is no worker, callers wait or are cut. */
async function untilStatus(headers: Record<string, string>, wanted: number): Promise<void> {
  const until = systemClock.monotonic() + ROTATED_MS_MAX
  for (let status = 0; status !== wanted;) {
    assert.ok(systemClock.monotonic() < until, `the last status was ${status}`)
    const signal = AbortSignal.timeout(5000)
    status = await fetch(`${baseOf('openai')}/v1/models`, { headers, signal }).then(
      (response) => response.status,
      () => 0,
    )
    await pause(50)
  }
}

test('a worker that starts while a credential is gone serves all other calls', async () => {
  const [worker] = program.pids('proxy')
  process.kill(worker as number, 'SIGKILL')
  await untilStatus({ 'x-svc-api-key': keys.good, authorization: 'Bearer own' }, 200)
  assert.notDeepEqual(program.pids('proxy'), [worker])
  await untilStatus({ authorization: `Bearer ${keys.good}` }, 403)
  writeFileSync(file, STORED)
  await untilStatus({ authorization: `Bearer ${keys.good}` }, 200)
})

function readAll(place: string): string {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('neither a secret nor a credential is in data, logs, figures or answers', async () => {
  const words = ['tokens', 'create', '--name', 'all', '--scope', 'admin']
  const { token } = await program.json<{ token: string }>(...words)
  const { api } = program.addresses
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(api + path, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200, path)
    return response.text()
  }
  const answers = await Promise.all(
    ['/metrics', '/v1/requests?limit=100', '/v1/keys', '/v1/service', '/v1/audit'].map(ask),
  )
  const { out, err } = await program.weir('doctor')
  assert.match(`${out}${err}`, /credentials/)
  const all = [readAll(program.dataDir), output, out, err, ...answers].join('\n')
  assert.match(output, /call ended/)
  assert.match(answers[1] ?? '', /credential_not_allowed/)
  const secrets = Object.values(keys).map((key) => key.split('.')[1] ?? '')
  for (const secret of [...secrets, STORED, 'rotated-credential']) {
    assert.ok(!all.includes(secret), 'a secret was kept')
  }
})
