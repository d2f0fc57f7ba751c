// The state of this Weir and its providers, in words. Must stay true: calls that still run are no
// fault, and calls that are unaccounted for are never called complete.

import type {
  CompletenessAnswer,
  PriceDataAnswer,
  ProviderHealth,
} from '../../../../src/api/contract.ts'
import { formatCounted } from '../../data/format-count.ts'

export interface StateWords {
  readonly tone: 'good' | 'warning' | 'bad' | 'neutral'
  readonly label: string
  readonly text: string
}

export function toCompletenessWords(figures: CompletenessAnswer): StateWords {
  const { pending, dead, lost } = figures
  if (lost > 0) {
    const text = `${formatCounted(lost, 'call')} cannot be accounted for: a disk or a machine was lost. Compare the month with the provider’s bill.`
    return { tone: 'bad', label: 'Incomplete', text }
  }
  if (dead > 0) {
    const text = `${formatCounted(dead, 'call')} could not be recorded and ${dead === 1 ? 'was' : 'were'} kept in a file. Run "weir journal replay" to record them.`
    return { tone: 'warning', label: 'Calls not recorded', text }
  }
  if (pending > 0) {
    const text = `All calls that have ended are recorded. ${formatCounted(pending, 'call')} ${pending === 1 ? 'is' : 'are'} still running or about to be recorded.`
    return { tone: 'good', label: 'Complete so far', text }
  }
  const text = 'Every forwarded call is recorded.'
  return { tone: 'good', label: 'Complete', text }
}

export const COMPLETENESS_FIGURES = [
  { id: 'forwarded', label: 'Forwarded', note: 'calls sent to a provider' },
  { id: 'recorded', label: 'Recorded', note: 'of these recorded' },
  { id: 'pending', label: 'Pending', note: 'still running, or waiting in a journal' },
  { id: 'dead', label: 'Not recorded', note: 'kept in a file; can be recorded again' },
  { id: 'lost', label: 'Lost', note: 'unaccounted for' },
] as const satisfies readonly {
  readonly id: keyof CompletenessAnswer
  readonly label: string
  readonly note: string
}[]

export function toPriceDataWords({ age_days: days, ...data }: PriceDataAnswer): StateWords {
  const age = days === 0 ? 'from today' : `${formatCounted(days, 'day')} old`
  if (data.is_import_outdated) {
    const text = 'The imported data is older than the data of this version of Weir. Import again.'
    return { tone: 'warning', label: `${age}`, text }
  }
  if (data.is_old) {
    const text =
      'New models may lack a price, and prices may have changed. Check for newer prices on the Prices page, or import them with "weir prices import".'
    return { tone: 'warning', label: age, text }
  }
  return { tone: 'good', label: age, text: 'Recent enough to know the models in use.' }
}

/** From this share of calls, failures are more than bad luck. */
const FAILING_SHARE = 0.5
const TROUBLED_SHARE = 0.05

export function toProviderState(health: ProviderHealth): StateWords {
  const { calls, failures, refusals } = health
  if (calls === 0) {
    return { tone: 'neutral', label: 'No calls', text: 'No calls in the last hour.' }
  }
  if (failures / calls >= FAILING_SHARE) {
    return { tone: 'bad', label: 'Failing', text: 'At least half of the calls fail.' }
  }
  if (failures / calls >= TROUBLED_SHARE) {
    return { tone: 'warning', label: 'Degraded', text: 'More calls fail than usual.' }
  }
  if (refusals / calls >= FAILING_SHARE) {
    const text = 'It refuses most calls: wrong credentials, a rate limit or bad requests.'
    return { tone: 'warning', label: 'Refusing', text }
  }
  return { tone: 'good', label: 'Healthy', text: 'Calls go through.' }
}

/** Below this a busy Weir fills the disk within days. */
const FREE_BYTES_LOW = 2_000_000_000

export function isDiskLow(freeBytes: number | null): boolean {
  return freeBytes !== null && freeBytes < FREE_BYTES_LOW
}
