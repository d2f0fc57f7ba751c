// Several nodes on one PostgreSQL in front of one provider, as a company would run them: real
// processes, with clocks that differ.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import { createEnvironment, runWeir, WEIR } from '../fakes/program.ts'
import type { CommandOutcome } from '../fakes/program.ts'
import { openCountingUpstream } from '../torture/counting-upstream.ts'
import type { CountingUpstream } from '../torture/counting-upstream.ts'
import { openClusterDatabase } from './open-database.ts'
import type { ClusterDatabase } from './open-database.ts'
import { openNode } from './open-node.ts'
import type { ClusterNode, NodeOptions, NodeRole } from './open-node.ts'

export interface ClusterOptions {
  /** How far the clock of each proxy is off. */
  readonly proxyShiftsMs: readonly number[]
  readonly apiShiftsMs: readonly number[]
  readonly settings?: Readonly<Record<string, string>>
  /** The program of all of it; another version's. */
  readonly weir?: string
}

export interface Cluster {
  readonly root: string
  readonly database: ClusterDatabase
  readonly upstream: CountingUpstream
  readonly proxies: readonly ClusterNode[]
  readonly apis: readonly ClusterNode[]
  /** A token of all scopes. */
  readonly token: string
  /** Another node, of this version. */
  add(role: NodeRole): Promise<ClusterNode>
  /** A command of another version. */
  run(weir: string, ...words: string[]): Promise<CommandOutcome>
  /** A proxy on a data directory, until it ends by itself. */
  runProxy(dataDir: string): Promise<CommandOutcome>
  /** A command with the cluster's settings; fails when it does. */
  json<Shape>(...words: string[]): Promise<Shape>
  /** Asks an API node; throws where it does not answer with 2xx. */
  ask<Shape>(node: ClusterNode, path: string, body?: object): Promise<Shape>
  /** The API node that leads; null while none does. */
  findLeader(): ClusterNode | null
  close(): Promise<void>
}

const LEADS = 'this node leads: '

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { weir = WEIR } = options
  const root = mkdtempSync(join(tmpdir(), 'weir-cluster-'))
  // PostgreSQL runs as another user, and its directory is in here.
  chmodSync(root, 0o711)
  const database = await openClusterDatabase(root)
  const upstream = await openCountingUpstream()
  const nodes: ClusterNode[] = []
  async function close(): Promise<void> {
    await Promise.all(nodes.map((node) => node.kill()))
    await database.close()
    await upstream.close()
    rmSync(root, { recursive: true, force: true })
  }
  const settings = {
    SETTINGS_URL: database.url,
    PROVIDER_OPENAI_URL: `${upstream.url}/openai`,
    PROVIDER_GATEWAY_URL: `${upstream.url}/gateway`,
    PROVIDER_ANTHROPIC_URL: `${upstream.url}/anthropic`,
    PROXY_WORKERS: '1',
    ALERTS_ALLOW_PRIVATE_TARGETS: 'true',
    LOG_LEVEL: 'info',
    ...options.settings,
  }
  const env = createEnvironment({ DATA_DIR: join(root, 'none'), ...settings })
  async function json<Shape>(...words: string[]): Promise<Shape> {
    const { code, out, err } = await runWeir([...words, '--json'], { cwd: root, env, weir })
    if (code !== 0) throw new Error(`weir ${words.join(' ')}: ${err}`)
    return JSON.parse(out) as Shape
  }
  async function open(
    role: NodeRole,
    others: Pick<NodeOptions, 'clockShiftMs' | 'weir'>,
  ): Promise<ClusterNode> {
    const name = `${role}-${nodes.length}`
    const node = await openNode({ role, name, root, settings, ...others })
    nodes.push(node)
    return node
  }
  try {
    await json('migrate')
    for (const shiftMs of options.proxyShiftsMs)
      await open('proxy', { clockShiftMs: shiftMs, weir })
    for (const shiftMs of options.apiShiftsMs) await open('api', { clockShiftMs: shiftMs, weir })
    const words = ['tokens', 'create', '--name', 'cluster', '--scope', 'admin']
    const { token } = await json<{ token: string }>(...words)
    const proxies = nodes.filter(({ role }) => role === 'proxy')
    const apis = nodes.filter(({ role }) => role === 'api')
    return {
      root,
      database,
      upstream,
      proxies,
      apis,
      token,
      json,
      add: (role) => open(role, {}),
      run: (program, ...words) => runWeir(words, { cwd: root, env, weir: program }),
      runProxy: (dataDir) => {
        const ports = { PROXY_PORT: '0', STATUS_PORT: '0' }
        const own = createEnvironment({ ...settings, ...ports, DATA_DIR: dataDir })
        return runWeir(['proxy'], { cwd: root, env: own, weir, timeoutMs: SETTLE_MS_MAX })
      },
      ask: (node, path, body) => ask(`${node.url}${path}`, token, body),
      findLeader: () => findLeader(apis),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whoever said so last and runs. */
function findLeader(apis: readonly ClusterNode[]): ClusterNode | null {
  const leading = apis.filter((node) => {
    const said = node.said()
    return node.isRunning() && said.lastIndexOf(LEADS) > said.lastIndexOf('leads no longer')
  })
  return leading[0] ?? null
}

async function ask<Shape>(url: string, token: string, body?: object): Promise<Shape> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text) as Shape
}

const SETTLE_MS_MAX = 60_000
const MOMENT_MS = 100

/** Waits until a condition holds, and fails with what was seen last. */
export async function until<Seen>(
  look: () => Promise<Seen>,
  isSo: (seen: Seen) => boolean,
  msMax: number = SETTLE_MS_MAX,
): Promise<Seen> {
  const end = systemClock.monotonic() + msMax
  for (;;) {
    const seen = await look().catch((error: unknown) => error as Error)
    if (!(seen instanceof Error) && isSo(seen)) return seen
    if (systemClock.monotonic() > end) {
      throw new Error(`waited in vain for ${msMax} ms: ${JSON.stringify(seen)} ${String(seen)}`)
    }
    await pause(MOMENT_MS)
  }
}

/** Nothing pending, by every API node, and all that the provider saw is forwarded. */
export async function untilSettled(cluster: Cluster): Promise<Completeness> {
  const { apis, upstream } = cluster
  let settled: Completeness | null = null
  for (const node of apis) {
    settled = await until(
      () => cluster.ask<Completeness>(node, '/v1/completeness'),
      ({ pending, forwarded }) => pending === 0 && forwarded >= upstream.received.size,
    ).catch((error: Error) => {
      throw new Error(`${error.message}\n${lastWords(cluster)}`, { cause: error })
    })
  }
  return settled as Completeness
}

const LAST_LINES = 30

/** Of its proxies: why a call is not stored is in their logs. */
function lastWords({ proxies }: Cluster): string {
  return proxies
    .map((node) => [node.name, ...node.said().trimEnd().split('\n').slice(-LAST_LINES)].join('\n'))
    .join('\n')
}
