// What a call was, as names and values. What is not known is said so, or left out where most calls
// have none.

import type { RequestDetail } from '../../../../src/api/contract.ts'
import { formatBytes } from '../../data/format-count.ts'

type Known = Pick<
  RequestDetail,
  | 'model'
  | 'requested_model'
  | 'provider'
  | 'region'
  | 'operation'
  | 'status'
  | 'http_status'
  | 'provider_error'
  | 'streamed'
  | 'request_bytes'
  | 'response_bytes'
  | 'service_tier'
  | 'is_byok'
>

export function toCallFacts(call: Known) {
  const { model, requested_model: requested, http_status: http } = call
  return [
    { name: 'Model that ran', value: model ?? 'not reported' },
    ...(requested !== null && requested !== model
      ? [{ name: 'Requested model', value: requested }]
      : []),
    { name: 'Provider', value: call.provider },
    ...(call.region === null ? [] : [{ name: 'Region', value: call.region }]),
    { name: 'Operation', value: call.operation ?? 'not known' },
    // What Weir itself answered is said beside the status.
    ...(call.status === 'denied' ? [] : [{ name: 'HTTP status', value: http ?? 'no response' }]),
    ...(call.provider_error === null
      ? []
      : [{ name: 'Error of the provider', value: call.provider_error }]),
    { name: 'Response', value: call.streamed ? 'streamed' : 'not streamed' },
    { name: 'Sent', value: formatBytes(call.request_bytes) },
    { name: 'Received', value: formatBytes(call.response_bytes) },
    { name: 'Service tier', value: call.service_tier ?? 'not reported' },
    ...(call.is_byok === null
      ? []
      : [{ name: 'Own provider key', value: call.is_byok ? 'yes' : 'no' }]),
  ]
}
