// Calls that keep coming while the demo runs: the company's keys and models, by the real SDKs,
// through the real proxy. Must stay true: only a few run at once, and none is tried while the proxy
// is away.

import { setTimeout as pause } from 'node:timers/promises'

import type { Clock } from '../src/core/clock.ts'
import { OWN_MODEL } from './company.ts'
import type { KeyHandle } from './company.ts'
import type { DemoSecrets } from './fill-settings.ts'
import { CALLERS, paceOf } from './live-pace.ts'
import { createRandom, drawSize, drawWeighted } from './random.ts'
import type { Random } from './random.ts'
import { SDKS } from './sdk-calls.ts'

export interface TrickleOptions {
  readonly proxyUrl: string
  readonly keys: DemoSecrets['keys']
  readonly clock: Pick<Clock, 'monotonic'>
  readonly say: (line: string) => void
}

export interface Trickle {
  /** Resolves when no call is running. */
  close(): Promise<void>
}

interface LiveCall {
  readonly key: KeyHandle
  readonly dims: string
  readonly sdk: keyof typeof SDKS
  readonly model: string
  readonly weight: number
  /** Part of the calls that are streamed. */
  readonly streamed: number
  readonly isAborted?: boolean
}

const SEARCH = 'team=search,app=catalog-search'
const HELP_DESK = 'team=support,app=help-desk,env=prod'
const SANDBOX = { key: 'sandbox', dims: 'team=platform,env=dev', sdk: 'openai' } as const

// Small ones: they add to the company's day without dominating it.
const LIVE_CALLS: readonly LiveCall[] = [
  {
    weight: 18,
    key: 'search',
    dims: `${SEARCH},env=prod`,
    sdk: 'openai',
    model: 'gpt-5.4-mini',
    streamed: 0.8,
  },
  {
    weight: 4,
    key: 'searchStaging',
    dims: `${SEARCH},env=staging`,
    sdk: 'openaiUntold',
    model: 'gpt-5.4-mini',
    streamed: 1,
  },
  {
    weight: 14,
    key: 'support',
    dims: HELP_DESK,
    sdk: 'anthropic',
    model: 'claude-sonnet-5',
    streamed: 0.9,
  },
  {
    weight: 2,
    key: 'support',
    dims: HELP_DESK,
    sdk: 'anthropic',
    model: 'claude-sonnet-5',
    streamed: 1,
    isAborted: true,
  },
  {
    weight: 10,
    key: 'mail',
    dims: 'team=support,app=mail-triage,env=prod',
    sdk: 'google',
    model: 'gemini-3-flash-preview',
    streamed: 0.3,
  },
  {
    weight: 7,
    key: 'campaigns',
    dims: 'team=growth,app=campaign-writer,env=prod',
    sdk: 'gateway',
    model: 'openai/gpt-5.4',
    streamed: 0.5,
  },
  {
    weight: 5,
    key: 'invoices',
    dims: 'team=data,app=invoice-reader,env=prod',
    sdk: 'openai',
    model: 'gpt-5.6-terra',
    streamed: 0,
  },
  {
    weight: 4,
    key: 'ownKeys',
    dims: 'team=research,app=evaluations,env=dev',
    sdk: 'gatewayByok',
    model: 'anthropic/claude-opus-5',
    streamed: 0.4,
  },
  { weight: 4, key: 'laptop', dims: '', sdk: 'openai', model: 'gpt-5.4-mini', streamed: 0.9 },
  {
    weight: 3,
    key: 'notebooks',
    dims: 'team=research,app=notebooks,env=dev',
    sdk: 'acme',
    model: OWN_MODEL,
    streamed: 0.5,
  },
  { ...SANDBOX, weight: 3, model: 'gpt-5.4-nano', streamed: 0.5 },
  // Its policy allows only the smallest models.
  { ...SANDBOX, weight: 2, model: 'gpt-5.5', streamed: 0.5 },
]

const SEED = 5
const ABORT_MS = 700
const CALL_MS_MAX = 20_000
const AWAY_MS = 1000
const PROMPT_CHARS = 5000
const SENTENCE = 'How high does the river stand, and what does it carry? '

export function openTrickle(options: TrickleOptions): Trickle {
  const stop = new AbortController()
  const random = createRandom(SEED)
  const beganAt = options.clock.monotonic()
  let isAway = false

  const pauseMs = (): number => paceOf(options.clock.monotonic() - beganAt)

  async function waitForProxy(): Promise<void> {
    if (!isAway) options.say('The proxy is not responding; calls wait for it.')
    isAway = true
    while (!stop.signal.aborted && !(await isProxyThere(options.proxyUrl))) {
      await rest(AWAY_MS, stop.signal)
    }
    isAway = false
  }

  async function callAgainAndAgain(): Promise<void> {
    await rest(random() * pauseMs(), stop.signal)
    while (!stop.signal.aborted) {
      if (!(await makeCall(random, options))) await waitForProxy()
      await rest(pauseMs() * (0.5 + random()), stop.signal)
    }
  }

  const callers = Array.from({ length: CALLERS }, callAgainAndAgain)
  return {
    async close() {
      stop.abort()
      await Promise.all(callers)
    },
  }
}

/** False without an answer. Refusals, errors and aborted calls are part of the demo. */
async function makeCall(random: Random, { proxyUrl, keys }: TrickleOptions): Promise<boolean> {
  const { key, dims, sdk, model, streamed, isAborted } = drawWeighted(random, LIVE_CALLS)
  const isStream = random() < streamed
  const chars = drawSize(random, PROMPT_CHARS)
  const prompt = SENTENCE.repeat(Math.ceil(chars / SENTENCE.length))
  // At the end running calls may finish: an answer that is cut off would lack its cost.
  const signal = AbortSignal.timeout(isAborted === true ? ABORT_MS : CALL_MS_MAX)
  const keyHeader = { 'X-SVC-API-Key': keys[key] }
  const headers = dims === '' ? keyHeader : { ...keyHeader, 'X-SVC-Dims': dims }
  try {
    await SDKS[sdk]({ model, prompt, isStream, signal, proxyUrl, headers })
    return true
  } catch {
    return isProxyThere(proxyUrl)
  }
}

async function isProxyThere(proxyUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${proxyUrl}/healthz`)
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, null, { signal }).catch(() => null)
}
