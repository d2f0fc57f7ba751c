// Fetches the published price data and imports it. Must stay true: what fails, what is only checked
// and what looks like a mistake changes no price.

import { createProxyChooser } from '../../config/outgoing-proxy.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/clock.ts'
import type { PriceUpdateResult } from '../../core/telemetry.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { FetchFault } from './fetch-price-data.ts'
import { measureImpact } from './price-impact.ts'
import type { ImpactOptions, PriceImpact } from './price-impact.ts'
import { checkImport, findImportDoubts, storeImport } from './price-import.ts'
import type { CheckedImport } from './price-import.ts'
import { readUpdateState, writeUpdateState } from './update-state.ts'
import type { UpdateState } from './update-state.ts'

export interface UpdateOptions {
  readonly config: Config
  /** In the name of whoever updates. */
  readonly settings: SettingsStore
  /** To say what newer data means in money; left out, it does not. */
  readonly usage?: ImpactOptions['usage']
  readonly dayCallsMax?: number
  readonly clock: Clock
  readonly who: string
  /** `apply` leaves what looks like a mistake to a person; `force` applies that, too. */
  readonly mode: 'check' | 'apply' | 'force'
  /** What was shown before; other data is not applied. */
  readonly expectedVersion?: string | undefined
  readonly isScheduled?: boolean
  readonly signal?: AbortSignal
}

export type UpdateOutcome =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'available' | 'applied' | 'waiting'
      readonly checked: CheckedImport
      /** Why a person has to decide, in sentences. */
      readonly doubts: readonly string[]
      readonly impact: PriceImpact | null
    }
  | FetchFault

type Fetched = NonNullable<UpdateState['fetched']>

interface Update {
  readonly outcome: UpdateOutcome
  readonly fetched: Fetched | null
}

const REASON_CHARACTERS_MAX = 500

/** Throws `conflict` when the data is no longer the expected one. */
export async function updatePrices(options: UpdateOptions): Promise<UpdateOutcome> {
  const { config, clock, isScheduled = false } = options
  const before = readUpdateState(config.dataDir)
  const { outcome, fetched } = await update(options, before?.fetched ?? null)
  writeUpdateState(config.dataDir, {
    checkedAt: clock.now(),
    result: outcome.kind,
    reason: toReason(outcome),
    scheduledAt: isScheduled ? clock.now() : (before?.scheduledAt ?? null),
    fetched,
  })
  return outcome
}

async function update(options: UpdateOptions, before: Fetched | null): Promise<Update> {
  const { config, settings, mode, expectedVersion } = options
  const { updateUrl: url, updateTimeoutMs: timeLimitMs } = config.prices
  const stored = await settings.prices.read()
  // Node's HTTP takes megabytes, and most processes never fetch anything.
  const { fetchPriceData } = await import('./fetch-price-data.ts')
  const answer = await fetchPriceData(url, {
    etag: isInUse(before, stored, url) ? before.etag : null,
    chooseProxy: createProxyChooser(config.upstream),
    timeLimitMs,
    signal: options.signal ?? new AbortController().signal,
  })
  if (answer.kind !== 'fetched') return { outcome: answer, fetched: before }
  const { text, etag } = answer
  const { imported } = stored
  if (imported?.text === text) {
    const { version, publishedAt } = imported
    return { outcome: { kind: 'unchanged' }, fetched: { url, etag, version, publishedAt } }
  }
  const found = checkFetched(stored, text, options)
  if ('kind' in found) return { outcome: found, fetched: before }
  const isOther = expectedVersion !== undefined && expectedVersion !== found.version
  if (mode !== 'check' && isOther) {
    throw new WeirError('conflict', 'The published price data has changed since it was checked.', {
      hint: 'Check again, and apply what is shown then.',
    })
  }
  const doubts = findImportDoubts(found)
  const shown = { checked: found, doubts, impact: await measure(found, stored, options) }
  if (mode === 'check') return { outcome: { kind: 'available', ...shown }, fetched: before }
  if (doubts.length > 0 && mode === 'apply') {
    return { outcome: { kind: 'waiting', ...shown }, fetched: before }
  }
  await storeImport(settings, found, options.who)
  const { version, publishedAt } = found
  const fetched = { url, etag, version, publishedAt }
  return { outcome: { kind: 'applied', ...shown }, fetched }
}

async function measure(
  found: CheckedImport,
  settings: PriceSettings,
  { usage, dayCallsMax, config, clock }: UpdateOptions,
): Promise<PriceImpact | null> {
  if (usage === undefined) return null
  const limit = dayCallsMax === undefined ? {} : { dayCallsMax }
  return measureImpact(found, { usage, settings, config, nowMs: clock.now(), ...limit })
}

/** What was imported since from a file, restored or removed has no ETag of this server. */
function isInUse(
  fetched: Fetched | null,
  { imported }: PriceSettings,
  url: string,
): fetched is Fetched {
  if (fetched === null || imported === null || fetched.url !== url) return false
  return fetched.version === imported.version && fetched.publishedAt === imported.publishedAt
}

function checkFetched(
  stored: PriceSettings,
  text: string,
  { clock, config }: UpdateOptions,
): CheckedImport | FetchFault {
  const nowMs = clock.now()
  try {
    // The server has what is published now, so that is the date of data that does not say.
    const source = new URL(config.prices.updateUrl).host
    return checkImport(stored, { source, text, publishedAt: nowMs, changedAt: nowMs, nowMs })
  } catch (error) {
    if (!(error instanceof WeirError) || error.code !== 'invalid_argument') throw error
    // One line without control characters: it is shown in logs, terminals and the console.
    const reason = error.message.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    return { kind: 'invalid', reason: reason.slice(0, REASON_CHARACTERS_MAX) }
  }
}

function toReason(outcome: UpdateOutcome): string | null {
  if ('reason' in outcome) return outcome.reason
  if (outcome.kind === 'unchanged' || outcome.doubts.length === 0) return null
  return outcome.doubts.join('\n').slice(0, REASON_CHARACTERS_MAX)
}

/** In a sentence, for logs, `weir doctor` and lists. */
export function describeUpdate(result: PriceUpdateResult, reason: string | null): string {
  switch (result) {
    case 'unchanged':
      return 'nothing new was published'
    case 'available':
      return 'newer price data was published'
    case 'applied':
      return 'newer price data was applied'
    case 'waiting':
      return 'newer price data waits for a person, because it looks like a mistake'
    case 'invalid':
      return `what was fetched cannot be used: ${reason}`
    case 'unreachable':
    case 'timeout':
    case 'http_error':
    case 'redirect':
    case 'too_large':
      return `the price data could not be fetched: ${reason}`
  }
}
