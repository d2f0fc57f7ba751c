import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import {
  CALLER_MASK,
  CLOSE,
  CONTINUATION,
  PING,
  writeFrame,
} from '../../test/fakes/upstreams/websocket-frame.ts'
import type { FrameOptions } from '../../test/fakes/upstreams/websocket-frame.ts'
import { createMeter } from '../app/meter.ts'
import type { CountingMeter } from '../app/meter.ts'
import type { NamesFound, NamesReader } from '../providers/provider.ts'
import { ByteBudget } from '../wire/byte-budget.ts'
import { Pace } from './pace.ts'
import { refuse } from './refusal.ts'
import { GUARDED_MESSAGE_BYTES_MAX, TunnelGuard } from './tunnel-guard.ts'
import type { NamesJudge, TunnelGuardOptions } from './tunnel-guard.ts'
import type { Refusal } from './refusal.ts'

const ALLOWED = 'wren'

/** What stands before a colon is a model's name, and the rest is talk. */
function createNamesReader(): NamesReader {
  let text = ''
  return {
    feed: (bytes) => void (text += Buffer.from(bytes).toString('latin1')),
    end: () => findNames(text),
  }
}

function findNames(text: string): NamesFound {
  if (text === 'riddle') return { kind: 'unreadable', reason: 'a riddle' }
  const [name = '', ...talk] = text.split(':')
  return { kind: 'named', names: talk.length === 0 ? [] : [name] }
}

function judge(found: NamesFound): Refusal | null {
  if (found.kind === 'unreadable') return refuse('model_not_allowed', found.reason)
  const isAllowed = found.names.every((name) => name === ALLOWED)
  return isAllowed ? null : refuse('model_not_allowed', 'another model')
}

/** Its times end a hundred milliseconds after `nowMs`. */
function createPace(clock = { nowMs: 0 }, bytesMin = 10): Pace {
  const deadlines = { until: (limitMs: number) => clock.nowMs + limitMs }
  return new Pace({ limits: { bodyTimeoutMs: 100 }, deadlines }, bytesMin)
}

interface TestGuard extends Pick<TunnelGuard, 'callerResumed' | 'checkDeadline' | 'release'> {
  readonly refusal: Refusal | null
  readonly isWaiting: boolean
  /** What may go on now. */
  pass(bytes: Buffer): Buffer
  /** What went on since. */
  passed(): Buffer
}

type TestOptions = Partial<TunnelGuardOptions> & Partial<Pick<NamesJudge, 'isNamed'>>

function createGuard({ isNamed = true, ...options }: TestOptions = {}): TestGuard {
  const bounds = { budget: new ByteBudget(100_000_000), meter: createMeter(), pace: createPace() }
  const judging = { judge, refuse: (reason: string) => refuse('model_not_allowed', reason) }
  const names = { createNamesReader, ...judging, isNamed }
  let refusal: Refusal | null = null
  let passed: Buffer[] = []
  const takePassed = (): Buffer => {
    const [only, ...others] = passed
    const all = only !== undefined && others.length === 0 ? only : Buffer.concat(passed)
    passed = []
    return all
  }
  const guard = new TunnelGuard({
    coding: 'plain',
    names,
    judgeAsk: null,
    ...bounds,
    pass: (bytes) => void passed.push(bytes),
    refused: (why) => (refusal = why),
    settled: () => {},
    ...options,
  })
  return {
    get refusal() {
      return refusal
    },
    get isWaiting() {
      return guard.isWaiting
    },
    pass: (bytes) => {
      guard.take(bytes)
      return takePassed()
    },
    passed: takePassed,
    callerResumed: () => guard.callerResumed(),
    checkDeadline: (nowMs) => guard.checkDeadline(nowMs),
    release: () => guard.release(),
  }
}

function countOf(meter: CountingMeter, limit: string): number {
  const samples = meter.samples().filter(({ metric }) => metric === 'limitsHit')
  return samples.find(({ labels }) => labels[0] === limit)?.value ?? 0
}

function sent(payload: string | Buffer, options: FrameOptions = {}): Buffer {
  return writeFrame(payload, { mask: CALLER_MASK, ...options })
}

/** What went on, piece by piece of that length. */
function passAll(guard: TestGuard, bytes: Buffer, cut = bytes.length): Buffer {
  const passed: Buffer[] = []
  for (let at = 0; at < bytes.length; at += cut) {
    passed.push(guard.pass(Buffer.from(bytes.subarray(at, at + cut))))
  }
  return Buffer.concat(passed)
}

test('passes allowed messages on byte for byte, in whatever pieces they come', () => {
  const bytes = Buffer.concat([
    sent('wren:hello'),
    sent('', { opcode: PING }),
    sent('more talk, ', { isFinal: false }),
    sent('here?', { opcode: PING }),
    sent('in parts', { opcode: CONTINUATION }),
    sent('x'.repeat(70_000)),
    sent('\u0003\u00e8', { opcode: CLOSE }),
  ])
  for (const cut of [bytes.length, 1, 7, 4096]) {
    const guard = createGuard({ isNamed: false })
    assert.ok(passAll(guard, bytes, cut).equals(bytes), `in pieces of ${cut}`)
    assert.equal(guard.refusal, null)
  }
})

test('reads each message by itself, however many come', () => {
  const guard = createGuard()
  const message = sent('x'.repeat(1_000_000))
  for (let count = 0; count < 6; count++) assert.equal(guard.pass(message), message)
})

test('lets nothing of a message go before it is whole', () => {
  const guard = createGuard()
  const before = sent('talk')
  const message = sent('wren:a long message')
  const passed = guard.pass(Buffer.concat([before, message.subarray(0, -1)]))
  assert.ok(passed.equals(before))
  assert.ok(guard.pass(message.subarray(-1)).equals(message))
})

describe('refuses, and passes nothing from then on', () => {
  const fragment = sent('par', { isFinal: false })
  const cases: Readonly<Record<string, Buffer>> = {
    'another model': sent('owl:hello'),
    'another model in fragments': Buffer.concat([
      sent('o', { isFinal: false }),
      sent('wl:hello', { opcode: CONTINUATION }),
    ]),
    'another model in a binary message': sent('owl:hello', { opcode: 2 }),
    'what cannot be read': sent('riddle'),
    'a frame that is not masked': writeFrame('wren:hello'),
    'compression, which was not agreed upon': sent('wren:hello', { isCompressed: true }),
    'a message inside another': Buffer.concat([fragment, sent('wren:hello')]),
    'a message behind the close': Buffer.concat([sent('', { opcode: CLOSE }), sent('wren:hello')]),
    'bytes of another protocol': Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  }
  for (const [name, bytes] of Object.entries(cases)) {
    test(name, () => {
      for (const cut of [bytes.length, 1]) {
        const guard = createGuard()
        const passed = passAll(guard, bytes, cut)
        assert.equal(guard.refusal?.code, 'model_not_allowed')
        // A close frame alone is nobody's model.
        assert.ok(passed.length <= sent('', { opcode: CLOSE }).length)
        assert.equal(guard.pass(sent('wren:hello')).length, 0)
      }
    })
  }
})

test('a message that names no model is refused until one was named', () => {
  const talk = sent('talk')
  const first = createGuard({ isNamed: false })
  assert.equal(first.pass(talk).length, 0)
  assert.equal(first.refusal?.code, 'model_not_allowed')
  const second = createGuard({ isNamed: false })
  assert.equal(second.pass(Buffer.concat([sent('wren:hello'), talk])).length > talk.length, true)
  assert.equal(second.refusal, null)
})

describe('limits', () => {
  test('a message of the largest size passes and a larger one does not', () => {
    const largest = sent('x'.repeat(GUARDED_MESSAGE_BYTES_MAX))
    const guard = createGuard()
    assert.ok(passAll(guard, largest, 65_536).equals(largest))
    const meter = createMeter()
    const other = createGuard({ meter })
    // Its length alone is enough.
    other.pass(sent('x'.repeat(GUARDED_MESSAGE_BYTES_MAX + 1)).subarray(0, 100))
    assert.equal(other.refusal?.code, 'model_not_allowed')
    assert.equal(countOf(meter, 'policy_body_bytes'), 1)
  })

  test('control frames inside a message that never ends are not kept without end', () => {
    const guard = createGuard()
    guard.pass(sent('x', { isFinal: false }))
    const pings = Buffer.concat(
      Array.from({ length: 500 }, () => sent('y'.repeat(125), { opcode: PING })),
    )
    for (let round = 0; round < 100; round++) guard.pass(pings)
    assert.equal(guard.refusal?.code, 'model_not_allowed')
  })

  test('what all callers hold together is bounded, and given back', () => {
    const budget = new ByteBudget(1000)
    const meter = createMeter()
    const [first, second] = [createGuard({ budget, meter }), createGuard({ budget, meter })]
    const message = sent('x'.repeat(700))
    first.pass(message.subarray(0, 690))
    second.pass(message.subarray(0, 690))
    assert.equal(second.refusal?.code, 'overloaded')
    assert.equal(countOf(meter, 'policy_held_bytes'), 1)
    first.pass(message.subarray(690))
    assert.equal(first.refusal, null)
    first.pass(message.subarray(0, 500))
    first.release()
    assert.ok(budget.take(1000))
  })
})

test('gives up a message that comes in single bytes, and lets one go on that has a pace', () => {
  const message = sent(`wren:${'a'.repeat(200)}`)
  for (const [step, isGivenUp] of [
    [1, true],
    [5, false],
  ] as const) {
    const clock = { nowMs: 0 }
    const meter = createMeter()
    const guard = createGuard({ pace: createPace(clock), meter })
    for (let at = 0; at < message.length && guard.refusal === null; at += step) {
      guard.pass(message.subarray(at, at + step))
      guard.checkDeadline((clock.nowMs += 30))
    }
    assert.equal(guard.refusal?.code ?? null, isGivenUp ? 'bad_request' : null)
    assert.equal(countOf(meter, 'body_time'), isGivenUp ? 1 : 0)
  }
})

test('gives each message its own time, and none to a caller that sends nothing', () => {
  const clock = { nowMs: 0 }
  const guard = createGuard({ pace: createPace(clock) })
  const message = sent('wren:hello')
  const isGivenUp = (): boolean => guard.refusal?.code === 'bad_request'
  const wait = (ms: number): void => guard.checkDeadline((clock.nowMs += ms))
  wait(1000)
  for (let times = 0; times < 3; times++) {
    guard.pass(message.subarray(0, 5))
    wait(60)
    // The end of one, and the beginning of the next.
    guard.pass(Buffer.concat([message.subarray(5), message.subarray(0, 5)]))
    wait(60)
    guard.pass(message.subarray(5))
    wait(1000)
  }
  guard.pass(message.subarray(0, 5))
  wait(60)
  guard.callerResumed()
  wait(60)
  assert.ok(!isGivenUp())
  wait(40)
  assert.ok(isGivenUp())
})
