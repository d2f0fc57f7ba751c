// Batch results of Vercel's AI Gateway: JSON lines, each with an answer and its charge. Must stay
// true: results are counted whole or not at all, and once, however often they are requested.

import type { Money } from '../../../core/money.ts'
import { addTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { ReportedBilling } from '../../../core/usage-event.ts'
import { noNames } from '../../requested-models/model-names.ts'
import { NO_READING } from '../../provider.ts'
import type { Operation, Reading, UsageReader } from '../../provider.ts'
import { AiSdkUsage } from './ai-sdk-usage.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { gatewayMetadata } from './gateway-metadata.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toObject } from '../json-leaves.ts'

const RESULTS: DocumentShape = {
  framing: 'lines',
  needles: ['"result"'],
  members: { result: { usage: true, providerMetadata: true } },
  createReader: () => new ResultsReader(),
}

const NOT_DUE: Reading = { ...NO_READING, isCharged: false }

export function gatewayBatchResults(paths: readonly string[]): Operation {
  const createReader = readDocuments(RESULTS)
  return {
    name: 'ai-sdk-batch-results',
    matches: (request) => request.method === 'POST' && paths.includes(request.path),
    createModelReader: () => null,
    createNamesReader: noNames,
    createUsageReader: (request, response) => wholeOrNothing(createReader(request, response)),
  }
}

/** The rest will be counted with these lines when they are requested again. */
function wholeOrNothing(reader: UsageReader): UsageReader {
  return {
    feed: (bytes) => reader.feed(bytes),
    end(isWhole) {
      const reading = reader.end(isWhole)
      return isWhole ? reading : NOT_DUE
    },
  }
}

class ResultsReader implements DocumentReader {
  /** The protocol has one model for all lines. */
  model: string | null = null
  #tokens: TokenCounts | null = null
  #cost: Money | null = null
  #marketCost: Money | null = null
  #isByok: boolean | null = null
  /** The least of all ids, which does not depend on the lines' order. */
  #generationId: string | null = null

  read(document: JsonObject): void {
    const result = toObject(document['result'])
    if (result === null) return
    const usage = new AiSdkUsage()
    usage.read(result['usage'])
    const tokens = usage.tokens()
    if (tokens !== null) {
      this.#tokens = this.#tokens === null ? tokens : addTokenCounts(this.#tokens, tokens)
    }
    // Each line is a generation of its own, so nothing is remembered of the others.
    const metadata = gatewayMetadata.createReader()
    metadata.read(result)
    const { model, billing } = metadata.end()
    this.model = model ?? this.model
    if (billing !== null) this.#add(billing)
  }

  end(): ShapeReading {
    const generationId = this.#generationId
    // Without an id, a second look could not be recognised.
    if (generationId === null) return { tokens: null, hasError: false, isCharged: false }
    return {
      tokens: this.#tokens,
      hasError: false,
      serviceTier: 'batch',
      billing: {
        cost: this.#cost,
        marketCost: this.#marketCost,
        isByok: this.#isByok,
        generationId,
      },
      countedAs: `batch:${generationId}`,
    }
  }

  #add({ cost, marketCost, isByok, generationId }: ReportedBilling): void {
    if (cost !== null) this.#cost = (this.#cost ?? 0n) + cost
    if (marketCost !== null) this.#marketCost = (this.#marketCost ?? 0n) + marketCost
    if (isByok !== null) this.#isByok = (this.#isByok ?? true) && isByok
    const least = this.#generationId
    if (generationId !== null && (least === null || generationId < least)) {
      this.#generationId = generationId
    }
  }
}
