// The real program in front of simulated providers, with a key and a token made by its own
// commands.

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import OpenAI from 'openai'

import { systemClock } from '../../src/core/clock.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import type { UsageEnvelope } from '../../src/api/contract.ts'
import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { readUsage } from '../../src/api/usage/usage-query.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { createCommandLineAt } from '../fakes/command-line.ts'
import type { CommandLine } from '../fakes/command-line.ts'
import { openFakeUpstream } from '../fakes/upstreams/upstream.ts'
import type { FakeUpstream } from '../fakes/upstreams/upstream.ts'
import { openProgram } from '../fakes/program.ts'
import type { InstalledWeir, Program } from '../fakes/program.ts'

export interface CallerKey {
  readonly id: string
  readonly key: string
}

export interface Scene {
  readonly upstream: FakeUpstream
  readonly program: Program
  readonly key: CallerKey
  readonly token: string
  /** Commands on the program's data directory, in this process: starting one takes longer. */
  readonly commands: CommandLine
  /** For a test that shares the scene: what was spent with a key of its own is its own. */
  nextKey(): CallerKey
  /** The official SDK, through the proxy. */
  sdk(provider: 'gateway' | 'openai', key?: CallerKey): OpenAI
  usage(query: string): Promise<UsageEnvelope>
  /**
   * Waits until the one row's value is the expected one, and asks for it; fails when that takes too
   * long.
   */
  untilValue(query: string, value: number, withinMs?: number): Promise<void>
  /** What the store has for a request, once it is there. */
  record(requestId: string): Promise<UsageRecord>
}

/** Only what hangs takes so long. */
const RECORD_MS_MAX = 120_000
const KEYS = 6

/** One program for all tests of a file, which leave it running. */
export function shareScene(settings: Readonly<Record<string, string>> = {}): () => Scene {
  const closes: (() => Promise<void>)[] = []
  let scene: Scene | null = null
  before(async () => {
    scene = await openScene({ after: (close) => closes.push(close) }, settings)
  })
  after(async () => {
    for (const close of closes.toReversed()) await close()
  })
  return () => scene as Scene
}

interface SceneContext {
  after(close: () => Promise<void>): void
}

export async function openScene(
  t: SceneContext,
  settings: Readonly<Record<string, string>> = {},
  installed?: InstalledWeir,
): Promise<Scene> {
  const upstream = await openFakeUpstream()
  t.after(() => upstream.close())
  let access = null as Access | null
  const program = await openProgram({
    ...(installed === undefined ? {} : { installed }),
    settings: {
      PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
      PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
      ...settings,
    },
    prepare: async (dataDir) => {
      access = await makeAccess(dataDir)
    },
  })
  t.after(() => program.close())
  const { keys, token, commands } = access as Access
  const nextKey = (): CallerKey => keys.shift() ?? assert.fail(`${KEYS} keys were made`)
  const key = nextKey()

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
    commands,
    nextKey,
    sdk: (provider, { key: secret } = key) =>
      createSdk(`${program.addresses.proxy}/v1/${provider}/v1`, { 'X-SVC-API-Key': secret }),
    usage,
    untilValue: async (query, value, withinMs = RECORD_MS_MAX) => {
      await untilStored(program, { query, value, withinMs })
      const { rows } = await usage(query)
      assert.deepEqual(
        rows.map((row) => row.value),
        [value],
      )
    },
    record: (requestId) => readRecord(program, requestId),
  }
}

interface Access {
  readonly commands: CommandLine
  readonly keys: CallerKey[]
  readonly token: string
}

/** Made before the start: a running proxy needs a moment to learn of a key. */
async function makeAccess(dataDir: string): Promise<Access> {
  const commands = createCommandLineAt(dataDir, { nowMs: systemClock.now() })
  const { json } = commands
  const keys: CallerKey[] = []
  while (keys.length < KEYS) keys.push(await json('keys', 'create', '--name', 'app'))
  const words = ['tokens', 'create', '--name', 'reader', '--scope', 'read:usage']
  return { commands, keys, token: (await json<{ token: string }>(...words)).token }
}

export function createSdk(baseURL: string, defaultHeaders: Record<string, string> = {}): OpenAI {
  return new OpenAI({ baseURL, apiKey: 'sk-invented', defaultHeaders, maxRetries: 0 })
}

interface ExpectedValue {
  readonly query: string
  readonly value: number
  readonly withinMs: number
}

/** The API keeps a figure for a minute and more: it is asked only once the figure is there. */
async function untilStored({ dataDir }: Program, expected: ExpectedValue): Promise<void> {
  const { query, value, withinMs } = expected
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  try {
    const until = systemClock.monotonic() + withinMs
    for (;;) {
      const nowMs = systemClock.now()
      const parsed = parseUsageQuery(new URLSearchParams(query), nowMs)
      const { rows } = await readUsage(parsed, store.usage, nowMs)
      if (rows.length === 1 && rows[0]?.value === value) return
      if (systemClock.monotonic() > until) {
        throw new Error(`expected ${value} within ${withinMs} ms, got ${JSON.stringify(rows)}`)
      }
      await pause(20)
    }
  } finally {
    await store.close()
  }
}

async function readRecord(program: Program, requestId: string): Promise<UsageRecord> {
  const store = await openLedgerStore({ dataDir: program.dataDir, clock: systemClock })
  try {
    const until = systemClock.monotonic() + RECORD_MS_MAX
    for (;;) {
      const record = await store.usage.readRecord(requestId)
      if (record !== null) return record
      if (systemClock.monotonic() > until) throw new Error(`no record of ${requestId}`)
      await pause(20)
    }
  } finally {
    await store.close()
  }
}
