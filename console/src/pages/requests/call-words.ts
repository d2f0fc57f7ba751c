// What the words of the log mean: how a call ended, where its cost came from, why it was refused.
// The meanings are those of the API's description, in words for the console.

import type { RequestRow } from '../../../../src/api/contract.ts'
import { CALL_WORDS } from '../../../../src/api/requests/call-words.ts'
import type { CallStatus, CostSource } from './requests-search.ts'

export interface StatusWords {
  readonly label: string
  readonly tone: 'good' | 'warning' | 'bad' | 'neutral'
  readonly meaning: string
}

const TONES: Readonly<Record<CallStatus, StatusWords['tone']>> = {
  delivered: 'good',
  refused: 'bad',
  aborted: 'warning',
  cut: 'bad',
  interrupted: 'bad',
  denied: 'warning',
}

export const STATUS_WORDS = Object.fromEntries(
  Object.entries(CALL_WORDS).map(([status, { label, meaning }]) => [
    status,
    {
      label: toUpperFirst(label),
      tone: TONES[status as CallStatus],
      meaning: `${toUpperFirst(meaning)}.`,
    },
  ]),
) as Readonly<Record<CallStatus, StatusWords>>

function toUpperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const SOURCE_WORDS: Readonly<Record<CostSource, string>> = {
  gateway: 'Stated in the response',
  'byok-zero': 'Own provider key',
  plan: 'Subscription',
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
    const text = DENIALS[call.error_code ?? ''] ?? 'Weir denied the call.'
    return { verdict: 'denied', text: `${text} Nothing was sent to the provider.` }
  }
  if (call.violation !== null) {
    const text = `${call.violation} answered, although the key’s policy does not allow it.`
    return { verdict: 'violated', text: `${text} The caller had requested another model.` }
  }
  return { verdict: 'allowed', text: 'The key’s policy allowed the call.' }
}
