// The real `weir start` as a child: on free ports, in front of the simulated providers, without the
// settings of the person who runs the demo. Must stay true: it ends with the demo, however that
// ends.

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { WeirError } from '../src/core/weir-error.ts'
import { findFreePort } from './free-port.ts'

export interface RunningWeir {
  readonly proxyUrl: string
  readonly apiUrl: string
  /** Resolves with the exit code when it has ended, by itself or by `close`. */
  readonly ended: Promise<number | null>
  close(): Promise<void>
}

export interface RunOptions {
  readonly dataDir: string
  /** The proxy's, or the next free one; the API takes one behind it. 0 takes any. */
  readonly port: number
  readonly providerUrls: Readonly<Record<string, string>>
  readonly environment: NodeJS.ProcessEnv
}

const WEIR = fileURLToPath(new URL('../bin/weir', import.meta.url))
const DRAIN_SECONDS = '5'

export async function runWeir(options: RunOptions): Promise<RunningWeir> {
  const proxyPort = await findFreePort(options.port)
  const apiPort = await findFreePort(proxyPort === 0 ? 0 : proxyPort + 1)
  // Not where the demo was started: a weir.yaml there is not the demo's.
  const child = spawn(process.execPath, [WEIR, 'start', '--json'], {
    cwd: options.dataDir,
    env: {
      ...toEnvironment(options),
      WEIR_PROXY_PORT: `${proxyPort}`,
      WEIR_API_PORT: `${apiPort}`,
    },
    // The channel shows Weir when the demo is gone.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const { proxy, api } = await readReady(child, ended)
  return {
    proxyUrl: proxy,
    apiUrl: api,
    ended,
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}

/** Without the user's own settings. */
function toEnvironment({ dataDir, providerUrls, environment }: RunOptions): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('WEIR_'))
  const urls = Object.entries(providerUrls).map(([id, url]) => [
    `WEIR_PROVIDER_${id.toUpperCase()}_URL`,
    url,
  ])
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(urls),
    WEIR_PROVIDER_ACME_SHAPE: 'openai',
    WEIR_DATA_DIR: dataDir,
    // Alerts go to the simulation, on this machine.
    WEIR_ALERTS_ALLOW_PRIVATE_TARGETS: 'true',
    WEIR_SHUTDOWN_DRAIN_SECONDS: DRAIN_SECONDS,
  }
}

interface Ready {
  readonly proxy: string
  readonly api: string
}

async function readReady(child: ChildProcess, ended: Promise<number | null>): Promise<Ready> {
  const ready = Promise.withResolvers<Ready>()
  let text = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    if (text.trimEnd().endsWith('}')) ready.resolve(JSON.parse(text) as Ready)
  })
  const failed = ended.then((code) => {
    throw new WeirError('internal', `weir start ended before it was ready (${code}).`, {
      hint: 'See its output above.',
    })
  })
  return Promise.race([ready.promise, failed])
}
