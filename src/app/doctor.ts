// What `weir doctor` looks at. Every check ends in a sentence, and every fault in a remedy. It changes
// nothing and works beside a running service.

import { existsSync, readdirSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'

import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { openJournalReader } from '../journal/reader.ts'
import { openSettingsStore, openUsageStore } from './backends.ts'
import { loadConfig } from './config.ts'
import type { Config } from './config.ts'
import { journalDir, openDataDir } from './data-dir.ts'
import { resolveProviders } from './routes.ts'
import { readTlsFiles } from './tls-files.ts'

export interface Finding {
  readonly check:
    | 'configuration'
    | 'certificates'
    | 'data directory'
    | 'disk'
    | 'settings'
    | 'usage'
    | 'journal'
    | 'clock'
  readonly isGood: boolean
  readonly text: string
  readonly remedy: string | null
}

/** Below this, journal and stores may soon have nowhere to go. */
const FREE_BYTES_MIN = 1_073_741_824
/** More than a healthy ledger ever leaves behind. */
const LAG_BYTES_MAX = 67_108_864
/** Time enough to renew a certificate by hand. */
const CERTIFICATE_DAYS_MIN = 30
const MS_PER_DAY = 86_400_000
const CLOCK_EARLIEST = Date.UTC(2026, 0, 1)

export async function examine(configFile: string | undefined, clock: Clock): Promise<Finding[]> {
  let config: Config
  try {
    config = loadConfig({ file: configFile })
    openDataDir(config.dataDir)
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    const check = error.code === 'invalid_config' ? 'configuration' : 'data directory'
    return [fault(check, error.message, error.hint ?? 'See docs/operating.md.')]
  }
  const providers = [...resolveProviders(config).keys()].join(', ')
  return [
    good('configuration', `valid; providers: ${providers}`),
    ...checkCertificates(config, clock),
    good('data directory', `${config.dataDir} can be written`),
    await checkDisk(config),
    await checkStore('settings', () => openSettingsStore({ dataDir: config.dataDir, clock })),
    await checkStore('usage', () => openUsageStore({ dataDir: config.dataDir, clock })),
    await checkJournal(config, clock),
    checkClock(clock),
  ]
}

function good(check: Finding['check'], text: string): Finding {
  return { check, isGood: true, text, remedy: null }
}

function fault(check: Finding['check'], text: string, remedy: string): Finding {
  return { check, isGood: false, text, remedy }
}

/** One finding for each certificate that runs out soon, one for all if none does; nothing without any. */
function checkCertificates(config: Config, clock: Clock): Finding[] {
  const all = [...readTlsFiles(config).certificates].flatMap(([setting, certificates]) =>
    certificates.map((certificate) => ({ setting, endsAt: certificate.validToDate })),
  )
  const ending = all.flatMap(({ setting, endsAt }): Finding[] => {
    const days = Math.floor((endsAt.getTime() - clock.now()) / MS_PER_DAY)
    if (days >= CERTIFICATE_DAYS_MIN) return []
    const day = endsAt.toISOString().slice(0, 10)
    const text = `one in ${setting} ${days < 0 ? 'ran' : 'runs'} out on ${day}`
    const remedy = 'Put a new one in its place, then restart Weir or send it SIGHUP.'
    return [fault('certificates', text, remedy)]
  })
  if (all.length === 0 || ending.length > 0) return ending
  return [good('certificates', `${all.length} valid for ${CERTIFICATE_DAYS_MIN} days and more`)]
}

async function checkDisk(config: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free`
  return free >= FREE_BYTES_MIN
    ? good('disk', text)
    : fault('disk', text, 'Free some space, or move the data directory to a larger disk.')
}

interface Checkable {
  check(): Promise<string | null>
  close(): Promise<void>
}

async function checkStore(
  check: 'settings' | 'usage',
  open: () => Promise<Checkable>,
): Promise<Finding> {
  const remedy = 'Stop Weir, put back the last good copy of the file, and start again.'
  try {
    const store = await open()
    const text = await store.check()
    await store.close()
    return text === null ? good(check, 'the store is sound') : fault(check, text, remedy)
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    return fault(check, error.message, error.hint ?? remedy)
  }
}

async function checkJournal(config: Config, clock: Clock): Promise<Finding> {
  const dir = journalDir(config.dataDir)
  if (!existsSync(dir) || readdirSync(dir).length === 0) return good('journal', 'empty so far')
  const store = await openUsageStore({ dataDir: config.dataDir, clock })
  const { cursors } = await store.readLedgerState()
  await store.close()
  const reader = openJournalReader({ dir })
  const lag = await reader.lag(cursors)
  const { damagedLines, missingLines } = await reader.read(cursors, config.ledger.batchLinesMax)
  await reader.close()
  const text = `${lag} bytes wait to be stored`
  if (damagedLines > 0 || missingLines > 0) {
    const damage = `${text}; ${damagedLines} lines are damaged, ${missingLines} missing`
    return fault('journal', damage, `Look at the disk. The damaged lines are in ${join(dir)}.`)
  }
  return lag <= LAG_BYTES_MAX
    ? good('journal', text)
    : fault('journal', text, 'Is weir start running? It stores them; watch weir_journal_lag_bytes.')
}

function checkClock(clock: Clock): Finding {
  const now = new Date(clock.now()).toISOString()
  return clock.now() >= CLOCK_EARLIEST
    ? good('clock', now)
    : fault('clock', `${now} lies in the past`, 'Set the clock of this machine (NTP).')
}
