// The thread that counts the tokens of calls whose provider reported none: the tokenizer can take a
// second, and no stream may wait for that. Nothing it receives is kept or logged.

import { parentPort } from 'node:worker_threads'

import { assert } from '../core/assert.ts'
import type { EstimatedTokens } from './estimates.ts'
import { createDecoder } from '../wire/http/content-coding.ts'
import { countTexts, findEncoding, unescapeText } from './estimator-count.ts'
import type { CountTokens, EncodingName } from './estimator-count.ts'
import { readRequestTexts } from './estimator-texts.ts'

export interface EstimatorTask {
  readonly model: string | null
  readonly request: Uint8Array | null
  readonly coding: string | null
  readonly text: string
}

/** Sent once when ready, then once per task. */
export type EstimatorMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly tokens: EstimatedTokens | null }

/** A compressed request that grows beyond this is given up. */
const DECODED_BYTES_MAX = 4 * 1024 * 1024
/** The tokenizer remembers words; its own limit of a hundred thousand is more than it is worth. */
const WORDS_REMEMBERED_MAX = 10_000

assert(parentPort !== null, 'the estimator runs as a thread')
const port = parentPort
const counters = new Map<EncodingName, CountTokens>()

port.on('message', (task: EstimatorTask) => void answer(task))
await loadCounter('o200k_base')
port.postMessage({ kind: 'ready' } satisfies EstimatorMessage)

async function answer(task: EstimatorTask): Promise<void> {
  const tokens = await estimate(task)
  port.postMessage({ kind: 'answer', tokens } satisfies EstimatorMessage)
}

async function estimate(task: EstimatorTask): Promise<EstimatedTokens | null> {
  const { model, request, coding, text } = task
  const body = request === null ? {} : parse(await decode(request, coding))
  if (body === undefined) return null
  const count = await loadCounter(findEncoding(model))
  const { texts, extraTokens, isPartial } = readRequestTexts(body)
  const input = countTexts(texts, count) + extraTokens
  const output = countTexts([unescapeText(text)], count)
  return isPartial ? { input, output, isPartial } : { input, output }
}

/** Null when the body cannot be decoded, or is too large for that. */
function decode(request: Uint8Array, coding: string | null): Promise<string | null> {
  return new Promise((resolve) => {
    const pieces: Uint8Array[] = []
    let bytesLeft = DECODED_BYTES_MAX
    const decoder = createDecoder(coding, {
      bytesMax: DECODED_BYTES_MAX,
      output(piece) {
        bytesLeft -= piece.length
        if (bytesLeft < 0) decoder.cancel()
        else pieces.push(Buffer.from(piece))
      },
      overflowed() {},
    })
    decoder.feed(request)
    decoder.end((isIntact) => resolve(isIntact ? Buffer.concat(pieces).toString() : null))
  })
}

/** Undefined, which no JSON stands for, where there is none. */
function parse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A request that is not JSON was the provider's to refuse; here it only has no texts to count.
    return undefined
  }
}

async function loadCounter(name: EncodingName): Promise<CountTokens> {
  const known = counters.get(name)
  if (known !== undefined) return known
  const { countTokens, setMergeCacheSize } =
    name === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  setMergeCacheSize(WORDS_REMEMBERED_MAX)
  // Special words in a text are text: a caller's `<|endoftext|>` ends nothing.
  const options = { disallowedSpecial: new Set<string>() }
  const count: CountTokens = (text) => countTokens(text, options)
  counters.set(name, count)
  return count
}
