// Gemini's interactions, made by POST and stored for later GETs, as JSON or as a stream of events.
// Must stay true: usage belongs to an interaction's id, and a running one has none yet.

import type { JsonShape } from '../../../wire/json/json-members.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import { namesIn, noNames } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { toCountedGrounding } from './gemini-grounding.ts'
import { createResourceModelReader, toModelName } from './gemini-path.ts'
import { toFreshParts, toModalities, toTier, toTokenCounts } from './gemini-usage.ts'
import { withCachedParts } from '../cached-parts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toName, toObject } from '../json-leaves.ts'

const INTERACTION: JsonShape = {
  id: true,
  model: true,
  status: true,
  usage: true,
  service_tier: true,
  error: true,
}

const INTERACTIONS: DocumentShape = {
  // The events of a stream with the model, the figures or the end.
  needles: ['"interaction.', '"usage"', '"error"', 'event: error'],
  members: { ...INTERACTION, event_type: true, interaction: INTERACTION },
  createReader: () => new InteractionReader(),
}

export interface GeminiInteractionsOptions {
  /** A pattern of the path before `/interactions`. */
  readonly base: string
}

export function geminiInteractions({ base }: GeminiInteractionsOptions): readonly Operation[] {
  const made = new RegExp(`^${base}/interactions$`)
  const kept = new RegExp(`^${base}/interactions/[^/]+$`)
  return [
    {
      name: 'gemini-interactions',
      matches: ({ method, path }) => method === 'POST' && made.test(path),
      createModelReader: () => createResourceModelReader(),
      createNamesReader: namesIn({ normalise: toModelName }),
      createUsageReader: readDocuments({ ...INTERACTIONS, texts: ['text'] }),
    },
    {
      name: 'gemini-interaction-read',
      matches: ({ method, path }) => method === 'GET' && kept.test(path),
      createModelReader: () => null,
      createNamesReader: noNames,
      createUsageReader: readDocuments(INTERACTIONS),
    },
  ]
}

/** Its figures are not final yet. */
const RUNNING: ReadonlySet<string> = new Set(['queued', 'in_progress'])

class InteractionReader implements DocumentReader {
  model: string | null = null
  isFinished = false
  #id: string | null = null
  #status: string | null = null
  #tier: string | null = null
  #usage: JsonObject | null = null
  #hasError = false
  #isStream = false

  read(document: JsonObject, event: string | null): void {
    // A stream's events wrap the interaction; a single answer is it.
    const interaction = toObject(document['interaction']) ?? document
    const model = toName(interaction['model'])
    if (model !== null) this.model = toModelName(model)
    this.#isStream ||= toName(document['event_type']) !== null
    this.#id = toName(interaction['id']) ?? this.#id
    this.#status = toName(interaction['status']) ?? this.#status
    this.#tier = toTier(interaction['service_tier']) ?? this.#tier
    this.#usage = toObject(interaction['usage']) ?? this.#usage
    this.isFinished = this.#usage !== null && !RUNNING.has(this.#status ?? '')
    const error = document['error'] ?? interaction['error'] ?? null
    this.#hasError ||= event === 'error' || error !== null || this.#status === 'failed'
  }

  get isMeasured(): boolean {
    return this.#usage !== null
  }

  end(): ShapeReading {
    const isRunning = RUNNING.has(this.#status ?? '')
    const tokens = isRunning || this.#usage === null ? null : toTokens(this.#usage)
    const toolCalls =
      tokens === null ? {} : toCountedGrounding(this.#usage?.['grounding_tool_count'])
    return {
      tokens,
      toolCalls,
      serviceTier: this.#tier,
      hasError: this.#hasError,
      ...(tokens !== null && this.#id !== null ? { countedAs: `interaction:${this.#id}` } : {}),
      // It goes on in the background and is read later. A stream that broke off may not be.
      ...(isRunning && !this.#isStream ? { isCharged: false } : {}),
    }
  }
}

function toTokens(usage: JsonObject): TokenCounts | null {
  const count = (member: string): number => toFigure(usage[member]) ?? 0
  const thoughts = count('total_thought_tokens')
  const input = count('total_input_tokens') + count('total_tool_use_tokens')
  const stated = count('total_output_tokens') + thoughts
  if (input + stated === 0) return null
  // A total that is not the sum leaves open what was used.
  const total = toFigure(usage['total_tokens'])
  const output = total === null || total === input + stated ? stated : NaN
  const prompt = toModalities(usage['input_tokens_by_modality']) ?? {}
  const tools = toModalities(usage['tool_use_tokens_by_modality']) ?? {}
  const cached = toModalities(usage['cached_tokens_by_modality']) ?? {}
  const answer = toModalities(usage['output_tokens_by_modality']) ?? {}
  const tokens = toTokenCounts({
    input,
    output,
    cacheRead: count('total_cached_tokens'),
    ...toFreshParts([prompt, tools], cached),
    reasoning: thoughts,
    outputAudio: answer['audio'] ?? 0,
    outputImage: answer['image'] ?? 0,
  })
  return withCachedParts(tokens, cached)
}
