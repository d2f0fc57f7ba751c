// Bedrock's guardrails, applied to a text without a model. Each kind of check is billed by its own
// units; words and patterns are looked for free of charge.

import { noNames } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'

/** By the member's name; what else it has is not billed. */
const UNITS: Readonly<Record<string, string>> = {
  topicPolicyUnits: 'guardrail_topic_unit',
  contentPolicyUnits: 'guardrail_content_unit',
  contentPolicyImageUnits: 'guardrail_image',
  sensitiveInformationPolicyUnits: 'guardrail_sensitive_unit',
  contextualGroundingPolicyUnits: 'guardrail_grounding_unit',
  automatedReasoningPolicyUnits: 'guardrail_reasoning_unit',
}

const GUARDRAIL: DocumentShape = {
  needles: ['"usage"'],
  members: { usage: true },
  createReader: () => new GuardrailReader(),
}

/** `path` is anchored at both ends. */
export function bedrockGuardrail(path: RegExp): Operation {
  return {
    name: 'bedrock-guardrail',
    matches: (request) => request.method === 'POST' && path.test(request.path),
    createModelReader: () => null,
    createNamesReader: noNames,
    createUsageReader: readDocuments(GUARDRAIL),
  }
}

class GuardrailReader implements DocumentReader {
  readonly model = null
  #usage: JsonObject | null = null

  read(document: JsonObject): void {
    this.#usage = toObject(document['usage']) ?? this.#usage
  }

  end(): ShapeReading {
    const usage = this.#usage
    if (usage === null) return { tokens: null, hasError: false }
    const toolCalls: Record<string, number> = {}
    for (const [member, kind] of Object.entries(UNITS)) {
      const count = toFigure(usage[member]) ?? 0
      if (count !== 0) toolCalls[kind] = count
    }
    const isCharged = Object.keys(toolCalls).length > 0
    const counted = { tokens: null, hasError: false, toolCalls, isWithoutTokens: true }
    return isCharged ? counted : { ...counted, isCharged }
  }
}
