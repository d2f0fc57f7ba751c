// The demo's company beside a Weir that somebody else runs, as in deploy/compose: its year in that
// Weir's databases, simulated providers for it, and calls through its proxy. Must stay true: it
// writes only into databases that are empty or were filled by it.

import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { loadConfig } from '../src/config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../src/config/store-locations.ts'
import { systemClock } from '../src/core/clock.ts'
import { WeirError } from '../src/core/weir-error.ts'
import { openDemoData } from './demo-data.ts'
import { openSimulatedProviders } from './simulated-providers.ts'
import { openTrickle } from './trickle.ts'

const { values } = parseArgs({
  options: {
    /** Where calls are made. */
    proxy: { type: 'string', default: 'http://127.0.0.1:7070' },
    /** Where the simulated providers listen, and the name by which Weir reaches them. */
    host: { type: 'string', default: '127.0.0.1' },
    name: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '7080' },
    calls: { type: 'string', default: '100000' },
  },
})

const end = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => end.abort())

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const config = loadConfig()
const { host, name, proxy } = values
const providers = await openSimulatedProviders({
  clock: systemClock,
  host,
  name,
  port: Number(values.port),
})
try {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const data = await openDemoData({
    dataDir: config.dataDir,
    isFresh: false,
    calls: Number(values.calls),
    clock: systemClock,
    databases: { settings: toSettingsLocation(config), usage: toUsageLocation(config) },
    hookUrl: providers.hookUrl,
    signal: end.signal,
    onProgress: ({ written, done }) => {
      if (done === 1 && written > 0) say(`The company's year is written: ${written} calls.`)
    },
  })
  say('Calls keep coming. Sign in to the console as one of these:')
  for (const { email, password, sees } of data.logins) say(`  ${email} with ${password}: ${sees}`)
  const trickle = openTrickle({ proxyUrl: proxy, keys: data.keys, clock: systemClock, say })
  if (!end.signal.aborted) {
    await new Promise((resolve) => end.signal.addEventListener('abort', resolve))
  }
  await trickle.close()
} catch (error) {
  if (!end.signal.aborted) {
    const hint = error instanceof WeirError ? error.hint : null
    process.stderr.write(`company: ${(error as Error).message}\n${hint ?? ''}\n`)
    process.exitCode = 1
  }
} finally {
  await providers.close()
}
