// npm run demo: a company's year in a data directory of its own, simulated providers, the real Weir
// in front of them, and calls that keep coming. Must stay true: nothing leaves this machine, and
// everything ends with this process.

import { once } from 'node:events'
import path from 'node:path'
import { parseArgs } from 'node:util'

import { systemClock } from '../src/core/clock.ts'
import { WeirError } from '../src/core/weir-error.ts'
import { openDemoData } from './demo-data.ts'
import type { DemoData } from './demo-data.ts'
import type { FillProgress } from './fill-history.ts'
import { findFreePort } from './free-port.ts'
import type { DemoLogin } from './people.ts'
import { runWeir } from './run-weir.ts'
import type { RunningWeir } from './run-weir.ts'
import { openSimulatedProviders } from './simulated-providers.ts'

const CALLS = 300_000
const CALLS_MAX = 5_000_000
const PORT = 7070
const PORT_MAX = 65_000
/** How far the simulation's port is behind the proxy's: the API is next to it. */
const PORTS_APART = 10
const PASSWORD_CHARS = 16
const PROGRAMS = path.join(import.meta.dirname, '..', 'node_modules', '.bin')

const HELP = `npm run demo -- [options]

  --data DIR   its data directory (./demo-data); kept between runs
  --fresh      starts from scratch
  --calls N    about how many calls in the first year (${CALLS})
  --port N     the proxy's port, or the next free one; the API takes the one behind it (${PORT})
`

interface Options {
  readonly dataDir: string
  readonly isFresh: boolean
  readonly calls: number
  readonly port: number
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Null where help was asked for. */
function readOptions(): Options | null {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: 'demo-data' },
      fresh: { type: 'boolean', default: false },
      calls: { type: 'string', default: `${CALLS}` },
      port: { type: 'string', default: `${PORT}` },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return {
    dataDir: path.resolve(values.data),
    isFresh: values.fresh,
    calls: toWhole('--calls', values.calls, CALLS_MAX),
    port: toWhole('--port', values.port, PORT_MAX),
  }
}

function toWhole(option: string, text: string, max: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= max) return value
  throw new WeirError('invalid_argument', `${option} takes a whole number up to ${max}.`, {
    hint: 'npm run demo -- --help shows the options.',
  })
}

async function run(options: Options, signal: AbortSignal): Promise<number> {
  const clock = systemClock
  const beganAt = clock.monotonic()
  const { port, dataDir } = options
  const simulationPort = await findFreePort(port === 0 ? 0 : port + PORTS_APART)
  const providers = await openSimulatedProviders({ clock, port: simulationPort })
  try {
    const { urls: providerUrls, hookUrl } = providers
    const data = await openDemoData({
      ...options,
      clock,
      hookUrl,
      signal,
      onProgress: reportProgress,
    })
    const weir = await runWeir({ dataDir, port, providerUrls, environment: process.env })
    greet({ data, weir, options, tookMs: clock.monotonic() - beganAt })
    return await keepCalling(weir, data, signal)
  } finally {
    await providers.close()
  }
}

/** Until the end, or until Weir has ended by itself. Returns the exit code. */
async function keepCalling(
  weir: RunningWeir,
  { keys }: DemoData,
  signal: AbortSignal,
): Promise<number> {
  // The SDKs take a second to load: only once the console is ready.
  const { openTrickle } = await import('./trickle.ts')
  const trickle = openTrickle({ proxyUrl: weir.proxyUrl, keys, clock: systemClock, say })
  const stopped = signal.aborted ? null : once(signal, 'abort')
  await Promise.race([stopped, weir.ended])
  say(signal.aborted ? 'Stopping.' : 'weir start ended by itself.')
  await trickle.close()
  await weir.close()
  return signal.aborted ? 0 : 1
}

/** Weir receives Ctrl-C as well, and notices by its channel when this process is gone. */
function listenForTheEnd(): AbortSignal {
  const end = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => end.abort())
  return end.signal
}

function reportProgress({ written, done }: FillProgress): void {
  if (written === 0) return
  const line = `Writing the company's year: ${written.toLocaleString('en')} calls, ${Math.round(done * 100)} %`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === 1 ? '\n' : ''}`)
  else if (done === 1) say(line)
}

interface Greeting {
  readonly data: DemoData
  readonly weir: RunningWeir
  readonly options: Options
  readonly tookMs: number
}

function greet({ data, weir, options, tookMs }: Greeting): void {
  const { proxyUrl, apiUrl } = weir
  const isElsewhere = options.port !== 0 && !proxyUrl.endsWith(`:${options.port}`)
  say(`
The demo is ready after ${(tookMs / 1000).toFixed(1)} s.${isElsewhere ? ` Port ${options.port} is in use, so it uses others.` : ''}

  Console    ${apiUrl}/
${listLines(data.logins)}
  Proxy      ${proxyUrl}

Your own call, answered by a simulated provider:

  curl ${proxyUrl}/v1/openai/v1/chat/completions \\
    -H "X-SVC-API-Key: ${data.keys.laptop}" \\
    -H "X-SVC-Dims: team=sales,app=tour" \\
    -H "Content-Type: application/json" \\
    -d '{ "model": "gpt-5.4-mini", "messages": [{ "role": "user", "content": "Hello" }] }'

This month's cost by team:

  curl -H "Authorization: Bearer ${data.token}" \\
    "${apiUrl}/v1/usage?metric=cost_usd&window=month_to_date&dimension=dim&dim_key=team"

A shell in which the lines that the console offers to copy work, curl and weir alike:

  export ${toShellSettings(options, data)}
  weir usage --dimension dim --dim-key team

Calls keep coming: two per second at first, one every few seconds after ten minutes. The data is in ${options.dataDir}. Ctrl-C stops everything.
`)
}

function listLines(logins: readonly DemoLogin[]): string {
  const lines = logins.map(
    ({ email, password, sees }, index) =>
      `  ${index === 0 ? 'Sign in' : '       '}    ${email}   ${password.padEnd(PASSWORD_CHARS)}   ${sees}`,
  )
  return lines.join('\n')
}

/** Where the data is, who asks, and the program itself. */
function toShellSettings({ dataDir }: Options, { token }: DemoData): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const settings = `WEIR_DATA_DIR=${quote(dataDir)} WEIR_TOKEN=${quote(token)}`
  return `${settings} PATH=${quote(PROGRAMS)}:"$PATH"`
}

const signal = listenForTheEnd()
try {
  const options = readOptions()
  if (options === null) process.stdout.write(HELP)
  else process.exitCode = await run(options, signal)
} catch (error) {
  // Calls that were running at the end fail.
  if (!signal.aborted) {
    const { message } = error as Error
    const hint = error instanceof WeirError ? error.hint : null
    process.stderr.write(`demo: ${message}\n${hint === null ? '' : `demo: ${hint}\n`}`)
    process.exitCode = 1
  }
}
