// Workers that let calls through by themselves, and a limit bank that gives away the rest, with
// everything that they say to each other on its way for as long as it likes.

import assert from 'node:assert/strict'
import { test } from 'node:test'

import { LimitHost } from '../../src/limits/limit-host.ts'
import type { LimitReply } from '../../src/limits/limit-messages.ts'
import { createMeter } from '../../src/app/meter.ts'
import { PLENTY_PARTS } from '../../src/limits/fast-path.ts'
import { Limiter } from '../../src/limits/limiter.ts'
import type { LimitListener } from '../../src/limits/limit-messages.ts'
import type { LimiterMessage } from '../../src/limits/limit-bank.ts'
import { createState, DAY_START_MS, toReport, usd } from '../fakes/budget-states.ts'
import { createRandom } from '../fuzz/generate-requests.ts'
import { byForm } from '../long-form.ts'

const HISTORIES = byForm(50, 500)
const STEPS = 600
const CALLS_MAX = 100
const CALL = {
  keyId: 'svc_k_one',
  rpm: null,
  maxParallel: null,
  providerId: 'acme',
  dims: {},
  isPaid: true,
  isKnown: true,
  requestBytes: null,
  findModel: () => null,
  findOutputMax: () => null,
}
const clock = { now: () => DAY_START_MS, monotonic: () => 0 }

function openWorker(host: LimitHost) {
  const meter = createMeter()
  const said: LimiterMessage[] = []
  const replies: LimitReply[] = []
  let listener: LimitListener | null = null
  const connection = {
    send: (message: LimiterMessage) => said.push(message) > 0,
    listen: (next: LimitListener) => void (listener = next),
  }
  const slugOf = (id: string, model: string): string => `${id}/${model}`
  const limiter = new Limiter({ connection, slugOf, clock, meter, onOutage: 'refuse' })
  const worker = { send: (message: LimitReply) => void replies.push(message) }
  host.joined(worker)
  return {
    limiter,
    send: () => host.received(worker, said.splice(0)),
    receive: (): void => {
      const message = replies.shift()
      if (message?.kind === 'reservationAnswers') listener?.answered(message.answers)
      else if (message !== undefined) listener?.updated(message)
    },
  }
}

/** How many calls of a cent pass under a budget of a dollar. */
function runHistory(seed: number): number {
  const random = createRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const host = new LimitHost({ clock, meter: createMeter(), tellFigures: () => {} })
  const workers = Array.from({ length: 1 + below(4) }, () => openWorker(host))
  const usual = { cost: usd(1 / CALLS_MAX), requestBytes: 0, outputTokens: 0 }
  const report = (): void => host.reported(toReport([createState({ usual })]))
  report()
  // At its start, and of the budget.
  for (const { receive } of [...workers, ...workers]) receive()
  let passed = 0
  for (let step = 0; step < STEPS; step++) {
    const { limiter, send, receive } = workers[below(workers.length)] as ReturnType<
      typeof openWorker
    >
    const message = below(20)
    if (message < 12) {
      limiter.reserve({ ...CALL, id: `c${step}` }, (refusal) => void (passed += refusal ? 0 : 1))
    } else if (message < 14) receive()
    else if (message < 16) send()
    else if (message < 18) report()
    else if (message === 18) for (let count = 0; count < 3; count++) receive()
  }
  return passed
}

test('however late messages arrive, no more than a sixteenth passes beyond a budget', () => {
  const passedMax = CALLS_MAX + CALLS_MAX / PLENTY_PARTS
  let most = 0
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const passed = runHistory(seed)
    assert.ok(passed <= passedMax, `seed ${seed}: ${passed} calls`)
    most = Math.max(most, passed)
  }
  assert.ok(most >= CALLS_MAX, `the limit was never reached, but ${most}`)
})
