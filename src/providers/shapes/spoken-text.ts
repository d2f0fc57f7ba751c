// Speech that is billed by the characters of its text. The text is in the request alone; sound
// reports nothing.

import type { Reading } from '../provider.ts'
import type { UnitsFromRequest } from './units-from-request.ts'

/** Services take a few thousand characters, each of at most twelve bytes in JSON. */
const TEXT_BYTES_MAX = 128 * 1024

/** OpenAI's newer voices are billed by tokens, which events report and plain sound does not. */
const BY_TOKENS = /^gpt-/i

/** `member` of the request has the text. */
export function spokenText(member: string): UnitsFromRequest {
  return {
    members: { [member]: true },
    valueBytesMax: TEXT_BYTES_MAX,
    complete(reading, { model, members }, isWhole): Reading {
      const text = members?.[member]
      const isReported = reading.tokens !== null || reading.hasError || reading.billing !== null
      if (isReported || typeof text !== 'string' || BY_TOKENS.test(model ?? '')) return reading
      const toolCalls = { ...reading.toolCalls, character: countCharacters(text) }
      return { ...reading, kind: isWhole ? 'reported' : 'partial', toolCalls }
    },
  }
}

/** Beyond the first 65,536, a character is two units of a text here, and is billed as one. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
