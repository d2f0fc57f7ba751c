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

/** By what the end of an operation's name says; its beginning is the provider's format. */
const KINDS: readonly (readonly [name: RegExp, words: string])[] = [
  [/count-tokens/, 'Counting tokens'],
  [/embed/, 'Embeddings'],
  [/transcription|translation/, 'Speech to text'],
  [/speech/, 'Text to speech'],
  [/image/, 'Images'],
  [/video/, 'Video'],
  [/rerank/, 'Reranking'],
  [/batch/, 'Results of a batch'],
  [/realtime|socket/, 'Realtime'],
  [/chat|messages|generate|responses|converse|completions|invoke/, 'Text'],
]

/** `Text (gemini-generate)` */
function toKindWords(operation: string | null): string {
  if (operation === null) return 'not known'
  const words = KINDS.find(([name]) => name.test(operation))?.[1]
  return words === undefined ? operation : `${words} (${operation})`
}

export function toCallFacts(call: Known) {
  const { model, requested_model: requested, http_status: http } = call
  return [
    { name: 'Model that ran', value: model ?? 'not reported' },
    ...(requested !== null && requested !== model
      ? [{ name: 'Requested model', value: requested }]
      : []),
    { name: 'Provider', value: call.provider },
    ...(call.region === null ? [] : [{ name: 'Region', value: call.region }]),
    { name: 'Kind of call', value: toKindWords(call.operation) },
    // What Weir itself answered is said beside the status.
    ...(call.status === 'denied' ? [] : [{ name: 'HTTP status', value: http ?? 'no response' }]),
    ...(call.provider_error === null
      ? []
      : [{ name: 'Error of the provider', value: call.provider_error }]),
    { name: 'Response', value: call.streamed ? 'streamed' : 'not streamed' },
    { name: 'Sent', value: formatBytes(call.request_bytes) },
    { name: 'Received', value: formatBytes(call.response_bytes) },
    ...(call.service_tier === null ? [] : [{ name: 'Service tier', value: call.service_tier }]),
    ...(call.is_byok === null
      ? []
      : [{ name: 'Own provider key', value: call.is_byok ? 'yes' : 'no' }]),
  ]
}
