// Usage events as JSON for the journal, built field by field: JSON.stringify takes two to three
// times as long. Must stay true: text from outside is quoted by JSON.stringify; the rest is numbers
// and words of ours.

import { formatMoney } from './money.ts'
import type { Money } from './money.ts'
import type { TokenCounts } from './token-counts.ts'
import type { CallOpening, ReportedBilling, UsageEvent } from './usage-event.ts'

export function openingToText(opening: CallOpening): string {
  return `{${toOpeningMembers(opening)}}`
}

/** Money travels as decimal strings of USD, so that `jq` shows what a person would write. */
export function usageEventToText(event: UsageEvent): string {
  return (
    `{${toOpeningMembers(event)},"requestedModel":${quote(event.requestedModel)},"model":${quote(event.model)},` +
    `"status":"${event.status}","httpStatus":${event.httpStatus},"errorCode":${quote(event.errorCode)},` +
    `"streamed":${event.streamed},"firstByteAt":${event.firstByteAt},"endedAt":${event.endedAt},` +
    `"requestBytes":${event.requestBytes},"responseBytes":${event.responseBytes},` +
    `"chargeable":${event.chargeable},"usage":"${event.usage}","tokens":${toTokensText(event.tokens)},` +
    `"toolCalls":${toObjectText(event.toolCalls)},"serviceTier":${quote(event.serviceTier)},` +
    `"billing":${toBillingText(event.billing)}${toRareMembers(event)}}`
  )
}

function toOpeningMembers(opening: CallOpening): string {
  return (
    `"version":${opening.version},"id":"${opening.id}","keyId":${quote(opening.keyId)},` +
    `"provider":${quote(opening.provider)},"operation":${quote(opening.operation)},` +
    `"dims":${toObjectText(opening.dims)},"startedAt":${opening.startedAt}${toAgentText(opening.agent)}`
  )
}

function toAgentText(agent: CallOpening['agent']): string {
  return agent === undefined ? '' : `,"agent":${JSON.stringify(agent)}`
}

function toRareMembers(event: UsageEvent): string {
  const { shares, countedAs, violation, ownMicros, region, trace, providerError } = event
  const sharesText = shares === undefined ? '' : `,"shares":${JSON.stringify(shares)}`
  const countedText = countedAs === undefined ? '' : `,"countedAs":${quote(countedAs)}`
  const violationText = violation === undefined ? '' : `,"violation":${quote(violation)}`
  const ownText = ownMicros === undefined ? '' : `,"ownMicros":${ownMicros}`
  const regionText = region === undefined ? '' : `,"region":${quote(region)}`
  const traceText = trace === undefined ? '' : `,"trace":${quote(trace)}`
  const errorText = providerError === undefined ? '' : `,"providerError":${quote(providerError)}`
  const rest = ownText + regionText + errorText + traceText
  return sharesText + countedText + violationText + rest
}

function toTokensText(tokens: TokenCounts | null): string {
  if (tokens === null) return 'null'
  return (
    `{"input":${tokens.input},"output":${tokens.output},"cacheRead":${tokens.cacheRead},` +
    `"cacheWrite5m":${tokens.cacheWrite5m},"cacheWrite1h":${tokens.cacheWrite1h},` +
    `"inputAudio":${tokens.inputAudio},"inputImage":${tokens.inputImage},"reasoning":${tokens.reasoning},` +
    `"outputAudio":${tokens.outputAudio},"outputImage":${tokens.outputImage}${toCachedText(tokens)}}`
  )
}

/** Nearly always empty. */
function toCachedText({ cacheReadAudio, cacheReadImage }: TokenCounts): string {
  const audioText = cacheReadAudio === undefined ? '' : `,"cacheReadAudio":${cacheReadAudio}`
  return cacheReadImage === undefined
    ? audioText
    : `${audioText},"cacheReadImage":${cacheReadImage}`
}

function toBillingText(billing: ReportedBilling | null): string {
  if (billing === null) return 'null'
  const { cost, marketCost, isByok, generationId, statedBy, isPlan } = billing
  return (
    `{"cost":${toMoneyText(cost)},"marketCost":${toMoneyText(marketCost)},"isByok":${isByok},` +
    `"generationId":${quote(generationId)}${statedBy === undefined ? '' : `,"statedBy":${quote(statedBy)}`}${isPlan === undefined ? '' : ',"isPlan":true'}}`
  )
}

function toMoneyText(amount: Money | null): string {
  return amount === null ? 'null' : `"${formatMoney(amount)}"`
}

/** Most calls have no tools and no dimensions. */
function toObjectText(object: Readonly<Record<string, string | number>>): string {
  for (const _ in object) return JSON.stringify(object)
  return '{}'
}

/** Visible ASCII except quote and backslash needs no escape, like nearly every name. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

function quote(text: string | null): string {
  if (text === null) return 'null'
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
