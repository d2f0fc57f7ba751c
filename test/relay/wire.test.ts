// Every case is played against the upstream itself and through Weir, and the bytes are held against
// each other in both directions: what differs must be a change that expected-wire.ts makes too.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openTestProxy } from '../fakes/open-proxy.ts'
import type { TestProxy } from '../fakes/open-proxy.ts'
import { openScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import type { ScriptedUpstream } from '../fakes/upstreams/scripted-upstream.ts'
import { LONG_ONLY } from '../long-form.ts'
import { CONNECTION_CASES } from './connection-cases.ts'
import {
  expectRequest,
  expectResponse,
  readIds,
  toWeirRequest,
  withoutIds,
} from './expected-wire.ts'
import { playWire } from './play-wire.ts'
import type { Cuts, Play } from './play-wire.ts'
import { REQUEST_BODY_CASES } from './request-body-cases.ts'
import { REQUEST_HEAD_CASES } from './request-head-cases.ts'
import { RESPONSE_CASES } from './response-cases.ts'
import { STREAM_CASES } from './stream-cases.ts'
import type { CallerStep, WireCase } from './wire-case.ts'

const CASES: readonly WireCase[] = [
  ...REQUEST_HEAD_CASES,
  ...REQUEST_BODY_CASES,
  ...RESPONSE_CASES,
  ...STREAM_CASES,
  ...CONNECTION_CASES,
]

const WHOLE: Cuts = []
const BYTE_BY_BYTE: Cuts = [1]
const ODD: Cuts = [3, 1, 17, 2, 64, 5, 1000, 70_001]
/** Beyond this, a byte at a time takes too long and shows nothing new. */
const SLOW_BYTES_MAX = 2048
/** The upstream's path, for every other case: the others go to an address without one. */
const BASE_PATH = '/base/path'

interface Scene {
  readonly upstream: ScriptedUpstream
  readonly proxy: TestProxy
}

async function openScene(t: TestContext, recordsFirst: boolean): Promise<Scene> {
  const upstream = await openScriptedUpstream(
    () => {},
    () => {},
  )
  const upstreams = { based: `${upstream.url}${BASE_PATH}`, plain: upstream.url }
  const proxy = await openTestProxy({ upstreams, recordsFirst })
  t.after(async () => {
    await proxy.close()
    await upstream.close()
  })
  return { upstream, proxy }
}

function sentBy(caller: readonly CallerStep[]): string {
  return caller.map((step) => ('text' in step && step.kind !== 'await' ? step.text : '')).join('')
}

function changeRequests(
  caller: readonly CallerStep[],
  change: (text: string) => string,
): CallerStep[] {
  return caller.map((step) =>
    step.kind === 'request' ? { ...step, text: change(step.text) } : step,
  )
}

/**
 * Each side in every way once; with every pair of ways the same would be seen at twice the time.
 */
function listCuts(request: string, response: string): { request: Cuts; response: Cuts }[] {
  const requestBytes = request.length <= SLOW_BYTES_MAX ? BYTE_BY_BYTE : ODD
  const responseBytes = response.length <= SLOW_BYTES_MAX ? BYTE_BY_BYTE : ODD
  return [
    { request: WHOLE, response: WHOLE },
    { request: requestBytes, response: WHOLE },
    { request: ODD, response: responseBytes },
    { request: WHOLE, response: ODD },
  ]
}

async function checkDirect(wireCase: WireCase, { upstream }: Scene): Promise<void> {
  const request = sentBy(wireCase.caller)
  const response = wireCase.upstream.map(({ write }) => write).join('')
  const seen = await playWire(
    {
      port: Number(new URL(upstream.url).port),
      caller: wireCase.caller,
      upstream: wireCase.upstream,
      requestCuts: WHOLE,
      responseCuts: WHOLE,
      responseBytes: response.length,
      requestBytes: wireCase.isBodyUnwanted === true ? 0 : request.length,
      isClosed: wireCase.upstream.some(({ isEnd }) => isEnd === true),
    },
    upstream,
  )
  if (wireCase.isBodyUnwanted === true) assert.ok(request.startsWith(seen.request))
  else assert.ok(seen.request === request, `direct: ${seen.request.slice(0, 500)}`)
  assert.ok(seen.response === response, `direct: ${seen.response.slice(0, 500)}`)
}

/** Through Weir, with the request's and the response's bytes cut in all ways. */
async function checkRelayed(wireCase: WireCase, at: number, scene: Scene): Promise<void> {
  const { proxy, upstream } = scene
  const { host } = new URL(upstream.url)
  const isBased = at % 2 === 0
  const prefix = isBased ? '/v1/based' : '/v1/plain'
  const basePath = isBased ? BASE_PATH : ''
  const svcLines = [`X-SVC-API-Key: ${proxy.credential}`]
  // Heads that are nearly as large as can be have no room for more than the key.
  if (at % 3 === 0 && sentBy(wireCase.caller).length <= SLOW_BYTES_MAX) {
    svcLines.push('X-SVC-Dims: team=a,app=%2C', 'x-svc-dims:env=b', 'X-Svc-Of-Tomorrow: 1')
  }
  const caller = changeRequests(wireCase.caller, (text) =>
    toWeirRequest(text, { prefix, svcLines }),
  )
  const request = sentBy(
    changeRequests(wireCase.caller, (text) => expectRequest(text, { host, basePath })),
  )
  const response = expectResponse(wireCase.caller, wireCase.upstream, wireCase.isEarly)
  const play: Omit<Play, 'requestCuts' | 'responseCuts'> = {
    port: proxy.port,
    caller,
    upstream: wireCase.upstream,
    responseBytes: response.text.length,
    requestBytes: wireCase.isBodyUnwanted === true ? 0 : request.length,
    isClosed: response.isClosed || wireCase.isCut === true,
  }
  for (const cuts of listCuts(sentBy(caller), response.text)) {
    const how = `request cut [${cuts.request.join()}], response cut [${cuts.response.join()}]`
    const seen = await playWire(
      { ...play, requestCuts: cuts.request, responseCuts: cuts.response },
      upstream,
    )
    if (wireCase.isBodyUnwanted === true) assert.ok(request.startsWith(seen.request), how)
    else assertSame(seen.request, request, `at the upstream, ${how}`)
    assertSame(withoutIds(seen.response), response.text, `at the caller, ${how}`)
    if (wireCase.isKept === true) assert.equal(seen.connections, 1, how)
    const ids = readIds(seen.response)
    assert.equal(new Set(ids).size, ids.length, 'request ids differ')
  }
}

/** Megabytes make no readable difference, so only the place of the first one is shown. */
function assertSame(seen: string, expected: string, where: string): void {
  if (seen === expected) return
  let at = 0
  while (seen[at] === expected[at]) at++
  const from = Math.max(0, at - 80)
  assert.equal(seen.slice(from, at + 200), expected.slice(from, at + 200), `${where}, byte ${at}`)
}

for (const [at, wireCase] of CASES.entries()) {
  test(`passes on as it came: ${wireCase.name}`, async (t) => {
    const scene = await openScene(t, false)
    await checkDirect(wireCase, scene)
    await checkRelayed(wireCase, at, scene)
  })
  // What differs is when the first byte leaves, not which bytes do: the short form tries some.
  const skip = at % 8 === 0 ? false : LONG_ONLY
  test(`passes on as it came, recorded first: ${wireCase.name}`, { skip }, async (t) => {
    await checkRelayed(wireCase, at, await openScene(t, true))
  })
}

test('the table is as long as was promised, and no name stands twice', () => {
  assert.ok(CASES.length >= 60, `${CASES.length} cases`)
  assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length)
})
