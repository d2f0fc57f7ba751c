// What `weir doctor` checks, with a remedy for every fault. Changes nothing; works while Weir runs.

import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

import type { Clock } from '../core/clock.ts'
import type { Team } from '../core/teams/team.ts'
import { WeirError } from '../core/weir-error.ts'
import { openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import { loadConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { openDataDir } from '../backup/data-dir.ts'
import { checkDatabases } from './doctor-database.ts'
import { checkRecord } from './doctor-record.ts'
import { fault, good, toStoreRemedy, warning } from './finding.ts'
import type { Check, Finding } from './finding.ts'
import { priceDataAt } from '../pricing/service/configured-tables.ts'
import { PRICE_DATA_DAYS_MAX, readLastUpdate } from '../pricing/service/price-list.ts'
import type { LastUpdate } from '../pricing/service/price-list.ts'
import { hasFailed } from '../pricing/service/update-state.ts'
import { checkProviderCredentials } from '../config/provider-credentials.ts'
import { resolveAddresses } from '../config/provider-addresses.ts'
import { isShared, toSettingsLocation, toUsageLocation } from '../config/store-locations.ts'
import { readTlsFiles } from '../config/tls-files.ts'

export type { Finding } from './finding.ts'

export interface ExamineOptions {
  readonly configFile: string | undefined
  readonly clock: Clock
  readonly isDeep?: boolean
  /** Throws where there is none; it is not to be created. */
  readonly openDataDir: (dataDir: string) => void
}

/** Below this, journal and stores may soon fail to write. */
const FREE_BYTES_MIN = 1_073_741_824
/** Time enough to renew a certificate by hand. */
const CERTIFICATE_DAYS_MIN = 30
const MS_PER_DAY = 86_400_000
const CLOCK_EARLIEST = Date.UTC(2026, 0, 1)

export async function examine(options: ExamineOptions): Promise<Finding[]> {
  const { configFile, clock, isDeep = false } = options
  let config: Config
  try {
    config = loadConfig({ file: configFile })
  } catch (error) {
    return [toFinding(error, 'configuration', fault)]
  }
  const providers = [...resolveAddresses(config).keys()].join(', ')
  const configured = [
    good('configuration', `valid; providers: ${providers}`),
    ...checkCertificates(config, clock),
    ...checkCredentials(config),
  ]
  configured.push(...(await checkDatabases(config, clock)))
  try {
    if (isShared(config)) openOwnDir(config.dataDir)
    else options.openDataDir(config.dataDir)
  } catch (error) {
    // Before the first start there is none, and a configuration may well be checked then.
    const tell = existsSync(config.dataDir) ? fault : warning
    return [...configured, toFinding(error, 'data directory', tell), checkClock(clock)]
  }
  const { more, ...settings } = await checkSettings(config, clock)
  return [
    ...configured,
    ...(existsSync(config.dataDir)
      ? [good('data directory', `${config.dataDir} is writable`), await checkDisk(config)]
      : []),
    settings.finding,
    ...(await checkUsageStore(config, { clock, isDeep })),
    ...more,
    checkClock(clock),
  ]
}

/** Nodes with journals have one; where stores are databases, there need be none. */
function openOwnDir(dataDir: string): void {
  if (existsSync(dataDir)) openDataDir(dataDir)
}

function toFinding(error: unknown, check: Check, tell: typeof fault): Finding {
  if (!(error instanceof WeirError)) throw error
  return tell(check, error.message, error.hint ?? 'See docs/operating.md.')
}

/** One finding per certificate that expires soon; one for all if none does. */
function checkCertificates(config: Config, clock: Clock): Finding[] {
  const all = [...readTlsFiles(config).certificates].flatMap(([setting, certificates]) =>
    certificates.map((certificate) => ({ setting, endsAt: certificate.validToDate })),
  )
  const ending = all.flatMap(({ setting, endsAt }): Finding[] => {
    const days = Math.floor((endsAt.getTime() - clock.now()) / MS_PER_DAY)
    if (days >= CERTIFICATE_DAYS_MIN) return []
    const day = endsAt.toISOString().slice(0, 10)
    const text = `one in ${setting} ${days < 0 ? 'expired' : 'expires'} on ${day}`
    const remedy = 'Replace it, then restart Weir or send it SIGHUP.'
    return [fault('certificates', text, remedy)]
  })
  if (all.length === 0 || ending.length > 0) return ending
  return [good('certificates', `${all.length} valid for at least ${CERTIFICATE_DAYS_MIN} days`)]
}

function checkCredentials(config: Config): Finding[] {
  try {
    const providers = checkProviderCredentials(config)
    if (providers.length === 0) return []
    return [good('credentials', `readable for ${providers.join(', ')}`)]
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    const remedy = 'Mend this, or run weir doctor with the environment that Weir is started with.'
    return [fault('credentials', error.message, remedy)]
  }
}

async function checkDisk(config: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const text = `${(free / 2 ** 30).toFixed(1)} GiB free`
  return free >= FREE_BYTES_MIN
    ? good('disk', text)
    : fault('disk', text, 'Free some space, or move the data directory to a larger disk.')
}

interface SettingsFindings {
  readonly finding: Finding
  /** Of what is among the settings; none where they cannot be read. */
  readonly more: readonly Finding[]
}

async function checkSettings(config: Config, clock: Clock): Promise<SettingsFindings> {
  try {
    const store = await openSettingsStore({ ...toSettingsLocation(config), clock })
    try {
      const text = await store.check()
      if (text !== null)
        return { finding: fault('settings', text, toStoreRemedy(config)), more: [] }
      const prices = checkPrices(
        priceDataAt(await store.prices.read()),
        readLastUpdate(config.dataDir),
        clock,
      )
      const groups = checkGroups(config, await store.teams.list())
      return { finding: good('settings', 'the store is consistent'), more: [prices, ...groups] }
    } finally {
      await store.close()
    }
  } catch (error) {
    return { finding: toFault('settings', error, config), more: [] }
  }
}

/** A rule for a team that is not there gives nothing, and refuses nobody. */
function checkGroups({ signIn }: Config, teams: readonly Team[]): Finding[] {
  const live = teams.filter(({ archivedAt }) => archivedAt === null)
  const slugs = new Set(live.map(({ slug }) => slug))
  const named = (signIn.groups ?? []).flatMap(({ team }) => team ?? [])
  const missing = named.filter((slug) => !slug.includes('*') && !slugs.has(slug))
  if (missing.length === 0) return []
  const text = `signIn.groups names teams that are not there: ${[...new Set(missing)].join(', ')}`
  return [warning('sign-in', text, 'Create them with weir teams create, or change the rules.')]
}

async function checkUsageStore(
  config: Config,
  { clock, isDeep }: { readonly clock: Clock; readonly isDeep: boolean },
): Promise<Finding[]> {
  try {
    const store = await openLedgerStore({ ...toUsageLocation(config), clock, hasJournals: false })
    try {
      return await checkRecord({ config, store, isDeep })
    } finally {
      await store.close()
    }
  } catch (error) {
    return [toFault('usage', error, config)]
  }
}

function toFault(check: Check, error: unknown, config: Config): Finding {
  if (!(error instanceof WeirError)) throw error
  return fault(check, error.message, error.hint ?? toStoreRemedy(config))
}

function checkPrices(dataAt: number, update: LastUpdate | null, clock: Clock): Finding {
  const days = Math.floor((clock.now() - dataAt) / MS_PER_DAY)
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const last = update === null ? '' : `; last update ${day(update.atMs)}: ${update.words}`
  const text = `the price data is from ${day(dataAt)}${last}`
  if (update?.result === 'waiting') {
    const remedy = 'Review it with weir prices update --check, then run it with --force.'
    return warning('prices', text, remedy)
  }
  if (update !== null && hasFailed(update.result)) {
    const remedy = 'Run weir prices update; check prices.updateUrl and upstream.httpsProxy.'
    return warning('prices', text, remedy)
  }
  if (days <= PRICE_DATA_DAYS_MAX) return good('prices', text)
  const remedy = 'Run weir prices update, or import newer prices with weir prices import FILE.'
  return warning('prices', `${text}, ${days} days old`, remedy)
}

function checkClock(clock: Clock): Finding {
  const now = new Date(clock.now()).toISOString()
  return clock.now() >= CLOCK_EARLIEST
    ? good('clock', now)
    : fault('clock', `${now} is in the past`, "Set this machine's clock (NTP).")
}
