// The part of the parity suite in which the caller leaves: by its own abort or because its time is
// up. Must stay true: the upstream hears of it at once, since every moment of a lost call is paid
// for.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { systemClock } from '../../src/core/clock.ts'
import type { Reply } from '../fakes/upstreams/replying-upstream.ts'
import { compare, openThrough } from './compare.ts'
import type { Side } from './compare.ts'
import { describeError } from './describe-error.ts'
import { readStream, TEXTS } from './sdk-under-test.ts'
import type { SdkUnderTest } from './sdk-under-test.ts'

/** A busy machine may delay some departures, but not all of them. */
const DEPARTURES = 5
const BEST_MS_MAX = 500

/** Aborts the n-th call of a side; gives what the caller saw of it and when it left. */
type Depart = (side: Side, number: number) => Promise<{ seen: unknown; leftAt: number }>

export function testDepartures(sdk: SdkUnderTest): void {
  for (const [name, replies, depart] of departuresOf(sdk)) {
    test(`${name} ends alike`, async (t) => {
      const { attempts, events } = await compare(t, {
        provider: sdk.provider,
        replies,
        attempts: 1,
        run: async (side) => (await depart(side, 1)).seen,
      })
      assert.equal(attempts[0]?.outcome, 'left')
      assert.equal(events[0]?.status, 'aborted')
    })
  }

  test('a call that takes longer than the SDK waits ends alike', async (t) => {
    const { attempts } = await compare(t, {
      provider: sdk.provider,
      replies: ['hang'],
      attempts: sdk.attemptsOnTimeout,
      run: (side) => sdk.call(side, { timeoutMs: 1500, retries: 1 }),
    })
    assert.ok(attempts.every(({ outcome }) => outcome === 'left'))
  })
}

/** To be run with nothing beside it. */
export function testDepartureTimes(sdk: SdkUnderTest): void {
  for (const [name, replies, depart] of departuresOf(sdk)) {
    test(`the upstream hears at once of ${name}`, async (t) => {
      const tookMs = await timeDepartures(t, { provider: sdk.provider, replies, depart })
      const text = tookMs.map((ms) => ms.toFixed(1)).join(', ')
      assert.ok((tookMs[0] as number) < BEST_MS_MAX, `heard after ${text} ms`)
    })
  }
}

interface Departures {
  readonly provider: string
  readonly replies: readonly Reply[]
  readonly depart: Depart
}

/** The shortest first. */
async function timeDepartures(t: TestContext, departures: Departures): Promise<number[]> {
  const side = await openThrough(t, departures)
  const tookMs: number[] = []
  for (let number = 1; number <= DEPARTURES; number++) {
    const { leftAt } = await departures.depart(side, number)
    await side.upstream.whenEnded(number)
    tookMs.push((side.upstream.attempts[number - 1]?.endedAt ?? Infinity) - leftAt)
  }
  return tookMs.toSorted((a, b) => a - b)
}

function departuresOf(sdk: SdkUnderTest): [name: string, replies: Reply[], depart: Depart][] {
  const whole = sdk.answerStream(TEXTS)
  const begun = whole.pieces.slice(0, sdk.piecesBeforeText + 3)
  return [
    [
      'a stream that is aborted half-way',
      [{ ...whole, pieces: begun, ending: 'hang' }],
      async (side) => {
        const departure = new AbortController()
        let leftAt = Infinity
        const { error } = await readStream(sdk, side, {
          signal: departure.signal,
          afterText: (count) => {
            if (count !== 2) return
            leftAt = systemClock.monotonic()
            departure.abort()
          },
        })
        // How many items were handed out after the abort depends on the moment.
        return { seen: error, leftAt }
      },
    ],
    [
      'a call that is aborted before its answer',
      ['hang'],
      async (side, number) => {
        const departure = new AbortController()
        const call = sdk.call(side, { signal: departure.signal, retries: 1 })
        const ended = call.then(
          () => assert.fail('nothing was answered'),
          (error: unknown) => describeError(error, side.baseUrl),
        )
        await side.upstream.whenSeen(number)
        const leftAt = systemClock.monotonic()
        departure.abort()
        return { seen: await ended, leftAt }
      },
    ],
  ]
}
