// The real program in front of simulated providers, with a key and a token made by its own commands.

import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import OpenAI from 'openai'

import { systemClock } from '../../src/core/clock.ts'
import { openUsageStore } from '../../src/app/backends.ts'
import type { UsageEnvelope } from '../../src/api/contract.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { openFakeUpstream } from '../fakes/upstream.ts'
import type { FakeUpstream } from '../fakes/upstream.ts'
import { openProgram } from '../fakes/program.ts'
import type { Program } from '../fakes/program.ts'

export interface Scene {
  readonly upstream: FakeUpstream
  readonly program: Program
  readonly key: { readonly id: string; readonly key: string }
  readonly token: string
  /** The official SDK, through the proxy. */
  sdk(provider: 'gateway' | 'openai'): OpenAI
  usage(query: string): Promise<UsageEnvelope>
  /** Asks until the one row's value is the expected one; fails when that takes too long. */
  untilValue(query: string, value: number, withinMs: number): Promise<void>
  /** What the store holds for a request, once it is there. */
  record(requestId: string): Promise<UsageRecord>
}

const RECORD_MS_MAX = 5000

export async function openScene(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<Scene> {
  const upstream = await openFakeUpstream()
  t.after(() => upstream.close())
  const program = await openProgram({
    settings: {
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      ...settings,
    },
  })
  t.after(() => program.close())
  const key = await program.json<{ id: string; key: string }>('keys', 'create', '--name', 'app')
  const words = ['tokens', 'create', '--name', 'reader', '--scope', 'read:usage']
  const { token } = await program.json<{ token: string }>(...words)

  async function usage(query: string): Promise<UsageEnvelope> {
    const response = await fetch(`${program.addresses.api}/v1/usage?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return body as UsageEnvelope
  }

  return {
    upstream,
    program,
    key,
    token,
    sdk: (provider) =>
      createSdk(`${program.addresses.proxy}/v1/${provider}/v1`, { 'X-SVC-API-Key': key.key }),
    usage,
    untilValue: async (query, value, withinMs) => {
      const until = systemClock.monotonic() + withinMs
      for (;;) {
        const { rows } = await usage(query)
        if (rows.length === 1 && rows[0]?.value === value) return
        if (systemClock.monotonic() > until) {
          throw new Error(`expected ${value} within ${withinMs} ms, got ${JSON.stringify(rows)}`)
        }
        await pause(20)
      }
    },
    record: (requestId) => readRecord(program, requestId),
  }
}

export function createSdk(baseURL: string, defaultHeaders: Record<string, string> = {}): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'sk-invented', defaultHeaders, maxRetries: 0 })
}

async function readRecord(program: Program, requestId: string): Promise<UsageRecord> {
  const store = await openUsageStore({ dataDir: program.dataDir, clock: systemClock })
  try {
    const until = systemClock.monotonic() + RECORD_MS_MAX
    for (;;) {
      const record = await store.readRecord(requestId)
      if (record !== null) return record
      if (systemClock.monotonic() > until) throw new Error(`no record of ${requestId}`)
      await pause(20)
    }
  } finally {
    await store.close()
  }
}
