// Bedrock's Converse, as JSON or an event stream. Only a prompt router's answer names its model.

import type { Operation } from '../../provider.ts'
import { readBedrockFigures, toBedrockTier, toBedrockTokens } from './bedrock-figures.ts'
import { bedrockCall, modelPath, toBedrockModel } from './bedrock-model.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { createEventStreamDocuments, FAULT } from './event-stream-documents.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'

const METADATA = 'metadata'

const CONVERSE: DocumentShape = {
  needles: [],
  members: {
    usage: true,
    serviceTier: true,
    performanceConfig: true,
    trace: { promptRouter: true },
  },
  texts: ['text', 'input'],
  createReader: () => new ConverseReader(),
}

const CONVERSE_STREAM: DocumentShape = {
  ...CONVERSE,
  // These stand in a message's headers, which are as readable as its payload.
  needles: [METADATA, 'exception', ':error-code'],
  createDocuments: createEventStreamDocuments,
}

/** Tools, variables and labels are the caller's own words. */
const content = ['toolConfig', 'promptVariables', 'requestMetadata']

export function bedrockConverse(base: string): readonly Operation[] {
  const path = modelPath(base, 'converse')
  const streamPath = modelPath(base, 'converse-stream')
  return [
    bedrockCall('bedrock-converse', path, { answer: CONVERSE, content }),
    bedrockCall('bedrock-converse-stream', streamPath, { answer: CONVERSE_STREAM, content }),
  ]
}

class ConverseReader implements DocumentReader {
  model: string | null = null
  isFinished = false
  #usage: JsonObject | null = null
  #serviceTier: string | null = null
  #hasError = false

  get isMeasured(): boolean {
    return this.#usage !== null
  }

  read(document: JsonObject, event: string | null): void {
    this.#hasError ||= event === FAULT
    if (event !== null && event !== METADATA) return
    this.isFinished = event === METADATA
    this.#usage = toObject(document['usage']) ?? this.#usage
    this.#serviceTier = toBedrockTier(
      toName(toObject(document['serviceTier'])?.['type']),
      toName(toObject(document['performanceConfig'])?.['latency']),
    )
    const router = toObject(toObject(document['trace'])?.['promptRouter'])
    const invoked = toName(router?.['invokedModelId'])
    this.model = invoked === null ? null : toBedrockModel(invoked).label
  }

  end(): ShapeReading {
    const usage = this.#usage
    return {
      tokens: usage === null ? null : toBedrockTokens(readBedrockFigures(usage)),
      serviceTier: this.#serviceTier,
      hasError: this.#hasError,
    }
  }
}
