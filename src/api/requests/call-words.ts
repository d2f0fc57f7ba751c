// What became of a call, in the words that every screen, command and document uses. The API's
// values stay as they are.

import type { CallStatus } from '../../core/usage-event.ts'

export interface CallWords {
  readonly label: string
  /** As a clause: `the whole answer reached the caller`. */
  readonly meaning: string
}

export const CALL_WORDS: Readonly<Record<CallStatus, CallWords>> = {
  delivered: { label: 'delivered', meaning: 'the whole answer reached the caller' },
  refused: { label: 'error from the provider', meaning: 'the provider answered with an error' },
  aborted: {
    label: 'caller disconnected',
    meaning: 'the caller disconnected before the answer was complete',
  },
  cut: {
    label: 'provider disconnected',
    meaning: 'the connection to the provider broke, or could not be made',
  },
  interrupted: {
    label: 'interrupted (Weir was stopped)',
    meaning: 'Weir was stopped while the call was running',
  },
  denied: {
    label: 'denied by Weir',
    meaning: 'Weir sent nothing to the provider, and no figure includes it',
  },
}

interface FailedCall {
  readonly status: CallStatus
  readonly http_status: number | null
  readonly error_code: string | null
  readonly provider_error: string | null
}

/** Why a call failed: `429 rate_limit_exceeded`, `403 model_not_allowed`. Null: it did not. */
export function toReason(call: FailedCall): string | null {
  const isAnswer = call.status === 'refused' || call.status === 'denied'
  const code = call.provider_error ?? call.error_code
  const words = [isAnswer ? call.http_status : null, code].filter((word) => word !== null)
  return words.length === 0 ? null : words.join(' ')
}
