// Callers of a cluster with the official SDKs: each makes one call after the other, at one proxy
// and the next in turn, and tries nothing again.

import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import { createAnthropic, createOpenai } from '../sdk/sdk-clients.ts'
import { planCall } from '../torture/call-plan.ts'
import type { CallPlan } from '../torture/call-plan.ts'
import type { CallResult, TortureCallers } from '../torture/callers.ts'
import { CALL_HEADER } from '../torture/counting-upstream.ts'

export interface SdkCallersOptions {
  /** Of all proxies; a load balancer would take those that answer. */
  readonly urls: () => readonly string[]
  readonly key: string
  readonly count: number
}

/** After a call that found nobody. */
const REFUSED_PAUSE_MS = 50
/** After any other: processor time is left to start nodes with. */
const PAUSE_MS = 20

export function openSdkCallers(options: SdkCallersOptions): TortureCallers {
  const results: CallResult[] = []
  let isStopped = false
  let last = 0
  let answered = 0

  async function run(): Promise<void> {
    while (!isStopped) {
      const n = ++last
      const urls = options.urls()
      const plan = planCall(n)
      const isWhole = await callOnce(plan, urls[n % urls.length] as string, options.key)
      const isAbandoned = plan.kind === 'abandoned'
      results.push({ n, isWhole, isAbandoned, endedAt: systemClock.monotonic() })
      if (isWhole) answered += 1
      await pause(isWhole ? PAUSE_MS : REFUSED_PAUSE_MS)
    }
  }

  const running = Array.from({ length: options.count }, run)
  return {
    results,
    more: async (count, msMax) => {
      const goal = answered + count
      const end = systemClock.monotonic() + msMax
      while (answered < goal && systemClock.monotonic() < end) await pause(5)
      return answered >= goal
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
    },
  }
}

/** Whether the caller had the whole answer; a refusal by the provider is one, too. */
async function callOnce(plan: CallPlan, url: string, key: string): Promise<boolean> {
  const headers = {
    'x-svc-api-key': key,
    'x-svc-dims': `call=${plan.n},kind=${plan.kind}`,
    [CALL_HEADER]: String(plan.n),
  }
  try {
    const answer: unknown = await send(plan, { baseUrl: `${url}${rootOf(plan)}`, headers })
    if (!plan.isStreamed) return true
    for await (const _ of answer as AsyncIterable<unknown>) {
      if (plan.kind === 'abandoned') return false
    }
    return true
  } catch (error) {
    return (error as { status?: number }).status === plan.status && plan.status !== 200
  }
}

function rootOf({ path }: CallPlan): string {
  return path.split('/').slice(0, 3).join('/')
}

function send(plan: CallPlan, address: { baseUrl: string; headers: Record<string, string> }) {
  const body = JSON.parse(plan.body) as never
  return plan.kind === 'anthropic-stream'
    ? createAnthropic(address).messages.create(body)
    : createOpenai(address).chat.completions.create(body)
}
