// How this Weir and its providers do, in words. Must stay true: calls that still run are no fault, and calls that nobody
// can account for are never called complete.

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
    const text = `${formatCounted(lost, 'call')} cannot be accounted for: a disk or a machine was lost. Compare the month with the bill of the provider.`
    return { tone: 'bad', label: 'Incomplete', text }
  }
  if (dead > 0) {
    const text = `${formatCounted(dead, 'call')} could not be recorded and ${dead === 1 ? 'was' : 'were'} put aside. Run "weir journal replay" to record them.`
    return { tone: 'warning', label: 'Calls put aside', text }
  }
  if (pending > 0) {
    const text = `All calls that have ended are on record. ${formatCounted(pending, 'call')} still ${pending === 1 ? 'runs or is' : 'run or are'} about to be recorded.`
    return { tone: 'good', label: 'Complete so far', text }
  }
  const text = 'Every call that was forwarded is on record.'
  return { tone: 'good', label: 'Complete', text }
}

export const COMPLETENESS_FIGURES = [
  { id: 'forwarded', label: 'Forwarded', note: 'calls that went on to a provider' },
  { id: 'recorded', label: 'Recorded', note: 'of these on record' },
  { id: 'pending', label: 'Pending', note: 'still run, or wait in a journal' },
  { id: 'dead', label: 'Put aside', note: 'could not be recorded; can be replayed' },
  { id: 'lost', label: 'Lost', note: 'nobody can account for them' },
] as const satisfies readonly {
  readonly id: keyof CompletenessAnswer
  readonly label: string
  readonly note: string
}[]

export function toPriceDataWords({ age_days: days, ...data }: PriceDataAnswer): StateWords {
  const age = days === 0 ? 'of today' : `${formatCounted(days, 'day')} old`
  if (data.is_import_outdated) {
    const text = 'What was imported is older than what this version of Weir brings. Import again.'
    return { tone: 'warning', label: `${age}`, text }
  }
  if (data.is_old) {
    const text =
      'New models may lack a price, and prices may have changed. Update Weir, or import newer data with "weir prices import".'
    return { tone: 'warning', label: age, text }
  }
  return { tone: 'good', label: age, text: 'Recent enough to know the models in use.' }
}

/** From this share of calls on, failures are more than a mishap. */
const FAILING_SHARE = 0.5
const TROUBLED_SHARE = 0.05

export function toProviderState(health: ProviderHealth): StateWords {
  const { calls, failures, refusals } = health
  if (calls === 0) {
    return { tone: 'neutral', label: 'Quiet', text: 'No calls in the last hour.' }
  }
  if (failures / calls >= FAILING_SHARE) {
    return { tone: 'bad', label: 'Failing', text: 'Half of the calls fail, or more.' }
  }
  if (failures / calls >= TROUBLED_SHARE) {
    return { tone: 'warning', label: 'Troubled', text: 'More calls fail than should.' }
  }
  if (refusals / calls >= FAILING_SHARE) {
    const text = 'It refuses most calls: a wrong credential, a limit, or a bad request.'
    return { tone: 'warning', label: 'Refusing', text }
  }
  return { tone: 'good', label: 'Healthy', text: 'Calls go through.' }
}

/** Below it a busy Weir fills the disk within days. */
const FREE_BYTES_LOW = 2_000_000_000

export function isDiskLow(freeBytes: number | null): boolean {
  return freeBytes !== null && freeBytes < FREE_BYTES_LOW
}
