// What the banners above every page say of the journal and of silent nodes. Must stay true: nothing
// is shown while every call is recorded, and a loss is shown until that very figure was dismissed.

import type { JournalState } from '../../../src/api/contract.ts'
import { formatCounted } from '../data/format-count.ts'
import { formatShortTime, formatTime } from '../data/format-time.ts'

/** Of silent nodes; of more, the number. */
const SILENT_SHOWN_MAX = 5

export interface JournalWords {
  readonly tone: 'bad' | 'warning'
  readonly title: string
  readonly text: string
  /** While it lasts it cannot be put away. */
  readonly canDismiss: boolean
}

/** `seenLost` is the loss that was last put away in this browser. */
export function toJournalWords(state: JournalState, seenLost: number): JournalWords | null {
  const { failing_since: since, lost } = state
  if (since !== null) {
    return {
      tone: 'bad',
      title: 'The disk of this machine does not take the journal',
      text: `${toEffect(state)} Since ${formatTime(since)} (${state.reason ?? 'unknown reason'}). Free space in ${state.directory}, and Weir records again by itself.`,
      canDismiss: false,
    }
  }
  if (lost === 0 || lost === seenLost) return null
  return {
    tone: 'warning',
    title: `${formatCounted(lost, 'call')} could not be recorded`,
    text: `${lost === 1 ? 'It was' : 'They were'} forwarded and ${lost === 1 ? 'is' : 'are'} in no figure: a disk was full or a machine was lost. Compare the month with the provider’s bill.`,
    canDismiss: true,
  }
}

/** Null while every node that may have calls sends heartbeats. */
export function toSilentWords({ silent_nodes: silent }: JournalState): JournalWords | null {
  if (silent.length === 0) return null
  const named = silent
    .slice(0, SILENT_SHOWN_MAX)
    .map(({ host, since }) => `${host}, silent since ${formatShortTime(since)}`)
  const more = silent.length - named.length
  return {
    tone: 'warning',
    title: `Figures may miss calls of ${[...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`,
    text: 'They are recorded once Weir runs there again. Of a machine that is gone for good, they are lost: weir nodes forget.',
    canDismiss: false,
  }
}

function toEffect({ on_full: onFull, lost, waiting }: JournalState): string {
  if (onFull === 'refuse') return 'Calls are refused, so that none goes unrecorded.'
  const lostText =
    lost === 0 ? 'so far none is lost' : `${formatCounted(lost, 'call')} could not be recorded`
  const waitingText =
    waiting === 0
      ? ''
      : ` ${formatCounted(waiting, 'call')} ${waiting === 1 ? 'waits' : 'wait'} in memory.`
  return `Calls pass, but ${lostText}.${waitingText}`
}
