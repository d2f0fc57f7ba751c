// The part of the parity suite in which something goes wrong: providers that refuse, connections
// that break. An SDK must end, and try again, as it would without Weir.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Reply } from '../fakes/upstreams/replying-upstream.ts'
import { compare, runBoth } from './compare.ts'
import type { Comparison } from './compare.ts'
import { readStream, TEXTS } from './sdk-under-test.ts'
import type { SdkUnderTest, Streamed } from './sdk-under-test.ts'

const AT_ONCE = { 'retry-after': '1', 'retry-after-ms': '5' }

export function testErrors(sdk: SdkUnderTest): void {
  const call = (replies: readonly Reply[], attempts: number): Comparison => ({
    provider: sdk.provider,
    replies,
    attempts,
    run: (side) => sdk.call(side, { retries: 1 }),
  })

  for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 529]) {
    const isRetried = sdk.retriedStatuses.includes(status)
    const attempts = isRetried ? 2 : 1
    test(`${status} reaches the SDK as it is after ${attempts === 1 ? 'one attempt' : 'two attempts'}`, async (t) => {
      const { through, events } = await compare(t, call([sdk.error(status, AT_ONCE)], attempts))
      const isShown = JSON.stringify(through.error).includes(`As asked: ${status}`)
      assert.equal(isShown, !sdk.hiddenStatuses.includes(status))
      assert.ok(events.every((event) => event.status === 'refused'))
    })
    if (!isRetried) continue
    test(`${status} and then success is a success by two attempts`, async (t) => {
      const replies = [sdk.error(status, AT_ONCE), sdk.answer('at last')]
      const { through } = await compare(t, call(replies, 2))
      assert.match(JSON.stringify(through.value), /at last/)
    })
  }

  for (const [status, word] of [
    [400, 'true'],
    [500, 'false'],
  ] as const) {
    test(`x-should-retry: ${word} on ${status} is obeyed alike`, async (t) => {
      const isRetried = sdk.obeysRetryHeader
        ? word === 'true'
        : sdk.retriedStatuses.includes(status)
      const reply = sdk.error(status, { ...AT_ONCE, 'x-should-retry': word })
      await compare(t, call([reply], isRetried ? 2 : 1))
    })
  }

  test('an error that is no JSON reaches the SDK as it is', async (t) => {
    const html = '<html><body>Nothing here</body></html>'
    const reply = { status: 404, headers: { 'content-type': 'text/html' }, pieces: [html] }
    const { through } = await compare(t, call([reply], 1))
    assert.ok('error' in through)
  })

  test('a stream that is refused and then answered is read alike', async (t) => {
    const { through } = await compare(t, {
      provider: sdk.provider,
      replies: [sdk.error(503, AT_ONCE), sdk.answerStream(TEXTS)],
      attempts: 2,
      run: (side) => readStream(sdk, side, { retries: 1 }),
    })
    assert.equal((through.value as Streamed).error, null)
  })
}

export function testFaults(sdk: SdkUnderTest): void {
  test('a connection cut before the answer is made good by the same attempts', async (t) => {
    const retries = sdk.isCutRetried ? 1 : 0
    const { through, events } = await (sdk.isCutRetried ? compare : runBoth)(t, {
      provider: sdk.provider,
      replies: ['cut', sdk.answer('at last')],
      attempts: 1 + retries,
      run: (side) => sdk.call(side, { retries }),
    })
    // Where the SDK gives up there is a difference, and the contract says it: 502 in place of a
    // cut.
    assert.match(JSON.stringify(through), sdk.isCutRetried ? /at last/ : /upstream_unreachable/)
    assert.deepEqual(
      [events[0]?.status, events[0]?.errorCode, events[0]?.httpStatus],
      ['cut', 'upstream_unreachable', null],
    )
  })
}
