// Runs one SDK script twice, straight at a simulated upstream and through Weir, and holds both
// against each other: what the script got, what it threw, and what the upstream saw of every
// attempt. Must stay true: nothing is left out of the comparison but what the contract says may
// differ.

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'

import type { UsageEvent } from '../../src/core/usage-event.ts'
import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy, TestProxyOptions } from '../fakes/open-proxy.ts'
import { openReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'
import type { Attempt, Reply, ReplyingUpstream } from '../fakes/upstreams/replying-upstream.ts'
import { describeError } from './describe-error.ts'

/** Where a script's SDK is pointed at. */
export interface Side {
  /** Stands for the provider's origin; the SDK's own base path follows. */
  readonly baseUrl: string
  /** For the SDK's option of default headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly upstream: ReplyingUpstream
}

export interface Comparison {
  readonly provider: string
  readonly replies: readonly Reply[]
  /** How many attempts the upstream must have seen, by either way. */
  readonly attempts: number
  run(side: Side): Promise<unknown>
}

export interface Outcome {
  readonly value?: unknown
  readonly error?: unknown
}

export interface Compared {
  readonly direct: Outcome
  readonly through: Outcome
  readonly attempts: readonly Attempt[]
  /** What Weir recorded, one for each attempt. */
  readonly events: readonly UsageEvent[]
}

export async function compare(t: TestContext, comparison: Comparison): Promise<Compared> {
  const compared = await runBoth(t, comparison)
  assert.deepEqual(compared.through, compared.direct)
  return compared
}

/**
 * For the few cases in which the contract gives the caller something else: attempts are compared
 * only.
 */
export async function runBoth(t: TestContext, comparison: Comparison): Promise<Compared> {
  const [direct, through] = await Promise.all([
    openDirect(t, comparison.replies),
    openThrough(t, comparison),
  ])
  const [directly, viaWeir] = await Promise.all([
    settle(comparison, direct),
    settle(comparison, through),
  ])
  const { attempts } = through.upstream
  assert.deepEqual(attempts.map(toComparable), direct.upstream.attempts.map(toComparable))
  assert.equal(attempts.length, comparison.attempts)
  checkHeaders(through)
  const events = await through.proxy.events(comparison.attempts)
  assert.equal(events.length, comparison.attempts, 'one event is recorded for each attempt')
  return { direct: directly, through: viaWeir, attempts, events }
}

export interface ThroughSide extends Side {
  readonly proxy: TestProxy
}

/** The SDK's way through Weir alone. */
export async function openThrough(
  t: TestContext,
  { provider, replies }: Pick<Comparison, 'provider' | 'replies'>,
  options: Partial<TestProxyOptions> = {},
): Promise<ThroughSide> {
  const upstream = await openReplyingUpstream(replies)
  const proxy = await openTestProxy({ upstreams: { [provider]: upstream.url }, ...options })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  const baseUrl = `http://127.0.0.1:${proxy.port}/v1/${provider}`
  return { baseUrl, headers: { 'X-SVC-API-Key': proxy.credential }, upstream, proxy }
}

async function openDirect(t: TestContext, replies: readonly Reply[]): Promise<Side> {
  const upstream = await openReplyingUpstream(replies)
  t.after(() => upstream.close())
  return { baseUrl: upstream.url, headers: {}, upstream }
}

async function settle(comparison: Comparison, side: Side): Promise<Outcome> {
  const outcome = await comparison.run(side).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: describeError(error, side.baseUrl) }),
  )
  await side.upstream.whenEnded(comparison.attempts)
  return outcome
}

/**
 * An attempt without what belongs to its connection, and with a made-up boundary in place of a
 * random one.
 */
function toComparable({ method, url, rawHeaders, body, outcome }: Attempt): unknown {
  const headers = pairsOf(rawHeaders).filter(([name]) => !isOfConnection(name))
  const boundary = /boundary=([^;]+)/.exec(
    headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '',
  )?.[1]
  const known = (text: string): string =>
    boundary === undefined ? text : text.replaceAll(boundary, 'boundary')
  return {
    method,
    url,
    headers: headers.map(([name, value]) => [name, known(value)]),
    body: known(body.toString('latin1')),
    outcome,
  }
}

/** What Weir may change on the way to the upstream, and does. */
function checkHeaders({ upstream, proxy }: ThroughSide): void {
  for (const { rawHeaders } of upstream.attempts) {
    const pairs = pairsOf(rawHeaders)
    const hosts = pairs.filter(([name]) => name.toLowerCase() === 'host').map(([, value]) => value)
    assert.deepEqual(hosts, [new URL(upstream.url).host])
    assert.ok(!rawHeaders.some((text) => /^x-svc-|^via$|^x-forwarded/i.test(text)))
    assert.ok(!rawHeaders.includes(proxy.credential))
  }
}

function pairsOf(rawHeaders: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[index * 2] as string,
    rawHeaders[index * 2 + 1] as string,
  ])
}

/** Contract, section 4: Host becomes the upstream's, headers of the connection stay. */
function isOfConnection(name: string): boolean {
  return ['host', 'connection', 'keep-alive'].includes(name.toLowerCase())
}
