// What the words of the log mean: how a call ended, where its cost came from, why it was refused. The meanings are those
// of the API's description; here they are said to a reader of the console.

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
    meaning: 'The caller left before the answer was whole.',
  },
  cut: {
    label: 'Cut off',
    tone: 'bad',
    meaning: 'The provider broke off, or was not reached.',
  },
  interrupted: {
    label: 'Interrupted',
    tone: 'bad',
    meaning: 'Weir stopped while the call ran.',
  },
  denied: {
    label: 'Denied',
    tone: 'warning',
    meaning: 'Weir refused it. Nothing was sent, and it counts in no figure.',
  },
}

export const SOURCE_WORDS: Readonly<Record<CostSource, string>> = {
  gateway: 'Told by the response',
  'byok-zero': 'Own provider key',
  'price-book': 'List price',
  override: 'Price of your own',
  unpriced: 'Unpriced',
  free: 'Not charged',
}

/** As a filter names it. */
export const KNOWLEDGE_WORDS: Readonly<Record<RequestRow['usage'], string>> = {
  reported: 'Reported',
  partial: 'In part',
  estimated: 'Estimated',
  none: 'Not known',
}

export const USAGE_WORDS: Readonly<Record<RequestRow['usage'], string>> = {
  reported: 'The provider said what was used.',
  partial: 'The provider said some of it, then the call ended early.',
  estimated: 'Nobody said what was used: the tokens were counted from the text.',
  none: 'Nothing is known of what was used.',
}

/** By the code that the caller was given. */
const DENIALS: Readonly<Record<string, string>> = {
  missing_api_key: 'The call carried no API key.',
  invalid_api_key: 'The API key is not one of this Weir.',
  expired_api_key: 'The API key has expired.',
  revoked_api_key: 'The API key was revoked.',
  model_not_allowed: 'The policy of the key does not allow this model.',
  provider_not_allowed: 'The policy of the key does not allow this provider.',
  invalid_dims: 'The dimensions of the call could not be read.',
  missing_dims: 'The key asks for a dimension that the call did not carry.',
  budget_exceeded: 'A budget that blocks is used up.',
  rate_limited: 'The key had made more calls than its limit allows.',
  overloaded: 'Weir had too much to do at that moment.',
  unknown_provider: 'Weir knows no such provider.',
  bad_request: 'The call could not be understood.',
  body_too_large: 'The call was larger than Weir takes.',
}

export type Verdict = 'allowed' | 'denied' | 'violated'

export interface PolicyWords {
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
    const text = `${call.violation} answered, although the policy of the key does not allow it.`
    return { verdict: 'violated', text: `${text} The caller had asked for another model.` }
  }
  return { verdict: 'allowed', text: 'The policy of the key allowed the call.' }
}
