// Weir's own answers, as each SDK shows them to its caller: the class, the status and our sentence,
// and as many attempts as make sense. Attempts are counted by what the proxy refused.

import { generateText } from 'ai'
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestContext } from 'node:test'

import { systemClock } from '../../src/core/clock.ts'
import { ERROR_KINDS } from '../../src/core/weir-error.ts'
import type { WeirErrorCode } from '../../src/core/weir-error.ts'
import { defineProvider } from '../../src/providers/provider.ts'
import type { ErrorShape } from '../../src/providers/provider.ts'
import type { TestProxy, TestProxyOptions } from '../fakes/open-proxy.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'
import { openThrough } from './compare.ts'
import type { Side, ThroughSide } from './compare.ts'
import {
  ANTHROPIC_ASK,
  createAnthropic,
  createGoogle,
  createOpenai,
  GOOGLE_ASK,
  OPENAI_ASK,
  toAiRequest,
} from './sdk-clients.ts'
import type { CallOptions } from './sdk-clients.ts'

interface RefusalCase {
  readonly code: WeirErrorCode
  /** A part of our sentence. */
  readonly says: string
  readonly proxy?: Partial<TestProxyOptions>
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the provider's own. */
  readonly path?: string
  readonly isUnreachable?: true
}

const CASES: readonly RefusalCase[] = [
  { code: 'missing_api_key', says: 'X-SVC-API-Key is missing', headers: { 'X-SVC-API-Key': '' } },
  { code: 'invalid_api_key', says: 'not a key of this Weir', headers: { 'X-SVC-API-Key': 'x' } },
  { code: 'revoked_api_key', says: 'was revoked', proxy: { key: { revokedAt: 1 } } },
  { code: 'key_paused', says: 'can resume it', proxy: { key: { pausedAt: 1 } } },
  {
    code: 'provider_not_allowed',
    says: 'may not use the provider',
    proxy: { key: { allowedProviders: ['other'] } },
  },
  { code: 'unknown_provider', says: 'There is no provider at', path: '/v1/nobody' },
  { code: 'invalid_dims', says: 'Write key=value', headers: { 'X-SVC-Dims': 'team=' } },
  { code: 'missing_dims', says: 'requires these', proxy: { key: { requiredDims: ['team'] } } },
  { code: 'upstream_unreachable', says: 'could not be reached', isUnreachable: true },
  {
    code: 'upstream_timeout',
    says: 'sent nothing for too long',
    proxy: { limits: { firstByteTimeoutMs: 100 } },
  },
  { code: 'overloaded', says: 'Too many connections', proxy: { connectionsMax: 0 } },
]

type Address = Pick<Side, 'baseUrl' | 'headers'>

/** What a caller finds in the error that an SDK throws. */
interface Shown {
  readonly class: string
  readonly status: number
  readonly message: string
  readonly code: unknown
}

interface SdkCase {
  readonly provider: string
  call(address: Address, options: CallOptions): Promise<unknown>
  show(error: SdkError): Shown
  classOf(status: number): string
}

interface SdkError extends Error {
  readonly status: number
  readonly statusCode: number
  readonly code: unknown
  readonly headers?: Headers
  readonly error: { readonly code: unknown }
  readonly lastError?: SdkError
  readonly cause?: { readonly responseBody: string }
}

const ERROR_SHAPES: Readonly<Record<string, ErrorShape>> = { google: 'google', gateway: 'gateway' }

const CLASSES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
}

const ANTHROPIC_CLASSES: Readonly<Record<number, string>> = {
  503: 'ServiceUnavailableError',
  504: 'GatewayTimeoutError',
}

const SDKS: readonly SdkCase[] = [
  {
    provider: 'openai',
    call: (address, options) => createOpenai(address, options).chat.completions.create(OPENAI_ASK),
    show: ({ constructor, status, message, code }) => {
      return { class: constructor.name, status, message, code }
    },
    classOf: (status) => CLASSES[status] ?? 'InternalServerError',
  },
  {
    provider: 'anthropic',
    call: (address, options) => createAnthropic(address, options).messages.create(ANTHROPIC_ASK),
    show: ({ constructor, status, message, error }) => {
      return { class: constructor.name, status, message, code: error.code }
    },
    classOf: (status) => CLASSES[status] ?? ANTHROPIC_CLASSES[status] ?? 'InternalServerError',
  },
  {
    provider: 'google',
    call: (address, options) => createGoogle(address, options).models.generateContent(GOOGLE_ASK),
    show: ({ constructor, status, message }) => {
      return { class: constructor.name, status, message, code: codeIn(message) }
    },
    classOf: () => 'ApiError',
  },
  {
    provider: 'gateway',
    call: (address, options) => generateText(toAiRequest(address, options)),
    show: (thrown) => {
      // After several attempts the SDK wraps the last error.
      const { name, statusCode: status, message, cause } = thrown.lastError ?? thrown
      return { class: name, status, message, code: codeIn(cause?.responseBody ?? '{}') }
    },
    classOf: (status) =>
      status === 400 ? 'GatewayInvalidRequestError' : 'GatewayInternalServerError',
  },
]

function codeIn(body: string): unknown {
  return (JSON.parse(body) as { code: unknown }).code
}

for (const sdk of SDKS) {
  suite(`${sdk.provider}: Weir's own answers`, { concurrency: 4, timeout: 60_000 }, () => {
    for (const refusal of CASES) testRefusal(sdk, refusal)
    testTurnedAway(sdk)
  })
}

function testRefusal(sdk: SdkCase, refusal: RefusalCase): void {
  const { code, says } = refusal
  const { status, canRetry } = ERROR_KINDS[code]
  const name = `${code} is understood and tried ${canRetry ? 'again' : 'once'}`
  test(name, async (t) => {
    const { proxy, address } = await openRefusing(t, sdk, refusal)
    const error = await errorOf(sdk.call(address, { retries: 1 }))
    assert.equal(countRefusals(proxy, code), canRetry ? 2 : 1)
    const shown = sdk.show(error)
    assert.deepEqual([shown.class, shown.status], [sdk.classOf(status), status])
    assert.equal(shown.code, code)
    if (error.headers !== undefined) {
      assert.equal(error.headers.get('x-should-retry'), canRetry ? null : 'false')
    }
    assert.ok(shown.message.includes(says), shown.message)
  })
}

/** The connection itself is one too many: the only one allowed has a call. */
function testTurnedAway(sdk: SdkCase): void {
  test('a connection that is turned away is understood and tried again', async (t) => {
    const refusal = { ...CASES[0], proxy: { limits: { connectionsMax: 1 } }, headers: {} }
    const { proxy, address } = await openRefusing(t, sdk, refusal as RefusalCase)
    const other = await openRawClient(proxy.port)
    t.after(() => other.socket.destroy())
    const lines = Object.entries(address.headers).map(([name, value]) => `${name}: ${value}\r\n`)
    other.send(`GET /v1/${sdk.provider}/v1/models HTTP/1.1\r\nHost: p\r\n${lines.join('')}\r\n`)
    await untilCalled(proxy)
    const error = await errorOf(sdk.call(address, { retries: 1 }))
    assert.equal(countRefusals(proxy, 'overloaded'), 2)
    const { class: name, status, message } = sdk.show(error)
    assert.deepEqual([name, status], [sdk.classOf(503), 503])
    assert.match(message, /Too many calls are running/)
  })
}

/** Only what hangs takes so long. */
const CALL_MS_MAX = 10_000

async function untilCalled(proxy: TestProxy): Promise<void> {
  const until = systemClock.monotonic() + CALL_MS_MAX
  while (countCalls(proxy) === 0) {
    assert.ok(systemClock.monotonic() < until, 'the call did not begin')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function countCalls({ meter }: TestProxy): number {
  return meter.samples().find(({ metric }) => metric === 'openCalls')?.value ?? 0
}

async function openRefusing(
  t: TestContext,
  { provider }: SdkCase,
  refusal: RefusalCase,
): Promise<{ proxy: TestProxy; address: Address }> {
  const errorShape = ERROR_SHAPES[provider] ?? 'openai'
  const providers = [defineProvider({ id: provider, upstream: null, errorShape, operations: [] })]
  const options = { providers, ...refusal.proxy }
  const side: ThroughSide = await openThrough(
    t,
    { provider, replies: ['hang'] },
    refusal.isUnreachable === true
      ? { ...options, upstreams: { [provider]: await unreachableUrl() } }
      : options,
  )
  const baseUrl =
    refusal.path === undefined ? side.baseUrl : `http://127.0.0.1:${side.proxy.port}${refusal.path}`
  return {
    proxy: side.proxy,
    address: { baseUrl, headers: { ...side.headers, ...refusal.headers } },
  }
}

async function unreachableUrl(): Promise<string> {
  const upstream = await openReplyingUpstream(['hang'])
  const { url } = upstream
  await upstream.close()
  return url
}

async function errorOf(call: Promise<unknown>): Promise<SdkError> {
  try {
    await call
  } catch (error) {
    return error as SdkError
  }
  return assert.fail('the call should have been refused')
}

function countRefusals({ meter }: TestProxy, code: WeirErrorCode): number {
  const samples = meter.samples().filter(({ metric }) => metric === 'refusals')
  return samples.find(({ labels }) => labels[0] === code)?.value ?? 0
}
