// What the words of the log mean: how a call ended, where its cost came from, why it was refused.
// The meanings are those of the API's description, in words for the console.

import type { RequestRow } from '../../../../src/api/contract.ts'
import type { CallStatus, CostSource } from './requests-search.ts'

export interface StatusWords {
  readonly label: string
  readonly tone: 'good' | 'warning' | 'bad' | 'neutral'
  readonly meaning: string
}

export const STATUS_WORDS: Readonly<Record<CallStatus, StatusWords>> = {
  delivered: {
    label: 'Delivered',
    tone: 'good',
    meaning: 'The whole answer reached the caller.',
  },
  refused: {
    label: 'Refused',
    tone: 'bad',
    meaning: 'The provider answered with an error.',
  },
  aborted: {
    label: 'Caller left',
    tone: 'warning',
    meaning: 'The caller disconnected before the answer was complete.',
  },
  cut: {
    label: 'Cut off',
    tone: 'bad',
    meaning: 'The provider’s connection broke, or could not be reached.',
  },
  interrupted: {
    label: 'Interrupted',
    tone: 'bad',
    meaning: 'Weir stopped while the call was running.',
  },
  denied: {
    label: 'Denied',
    tone: 'warning',
    meaning: 'Weir refused it. Nothing was sent, and no figure includes it.',
  },
}

export const SOURCE_WORDS: Readonly<Record<CostSource, string>> = {
  gateway: 'Stated in the response',
  'byok-zero': 'Own provider key',
  'price-book': 'List price',
  override: 'Your price',
  unpriced: 'Unpriced',
  free: 'Not charged',
  provider: 'Stated by the provider',
}

/** As a filter names it. */
export const KNOWLEDGE_WORDS: Readonly<Record<RequestRow['usage'], string>> = {
  reported: 'Reported',
  partial: 'Partial',
  estimated: 'Estimated',
  none: 'Unknown',
}

export const USAGE_WORDS: Readonly<Record<RequestRow['usage'], string>> = {
  reported: 'The provider reported the usage.',
  partial: 'A part of the usage is known: the call ended early, or a count could not be read.',
  estimated: 'No usage was reported: the tokens were counted from the text.',
  none: 'The usage is not known.',
}

/** Why a call failed: `429 rate_limit_exceeded`, `403 model_not_allowed`. Null: it did not. */
export function toAnswerWords(
  call: Pick<RequestRow, 'status' | 'http_status' | 'error_code' | 'provider_error'>,
): string | null {
  const isAnswer = call.status === 'refused' || call.status === 'denied'
  const words = [isAnswer ? call.http_status : null, call.provider_error ?? call.error_code].filter(
    (word) => word !== null,
  )
  return words.length === 0 ? null : words.join(' ')
}

/** By the code that the caller received. */
const DENIALS: Readonly<Record<string, string>> = {
  missing_api_key: 'The call had no API key.',
  invalid_api_key: 'The API key is not known here.',
  expired_api_key: 'The API key has expired.',
  revoked_api_key: 'The API key was revoked.',
  key_paused: 'The API key was paused.',
  model_not_allowed: 'The key’s policy does not allow this model.',
  provider_not_allowed: 'The key’s policy does not allow this provider.',
  credential_not_allowed: 'The key may not use the credential that is stored for the provider.',
  credential_not_configured: 'No credential is stored for such a call.',
  derived_token_not_allowed: 'The key may not make tokens that work without Weir.',
  invalid_dims: 'The dimensions of the call could not be read.',
  missing_dims: 'The key requires a dimension that the call did not send.',
  budget_exceeded: 'A blocking budget is used up.',
  rate_limited: 'The key had made more calls than its limit allows.',
  overloaded: 'Weir was overloaded at that moment.',
  unknown_provider: 'Weir has no such provider.',
  bad_request: 'The call could not be understood.',
  body_too_large: 'The call was larger than Weir accepts.',
}

export type Verdict = 'allowed' | 'denied' | 'violated'

interface PolicyWords {
  readonly verdict: Verdict
  readonly text: string
}

export function toPolicyWords(
  call: Pick<RequestRow, 'status' | 'error_code' | 'violation'>,
): PolicyWords {
  if (call.status === 'denied') {
    const text = DENIALS[call.error_code ?? ''] ?? 'Weir refused the call.'
    return { verdict: 'denied', text: `${text} Nothing was sent to the provider.` }
  }
  if (call.violation !== null) {
    const text = `${call.violation} answered, although the key’s policy does not allow it.`
    return { verdict: 'violated', text: `${text} The caller had requested another model.` }
  }
  return { verdict: 'allowed', text: 'The key’s policy allowed the call.' }
}
