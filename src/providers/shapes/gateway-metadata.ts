// What Vercel's AI Gateway adds to any shape: what it charged, the list price, whose provider key
// served, which model ran in the end. Must stay true: each fact is found in every spelling and at every
// place in which one of its dialects has been seen to carry it.

import type { ReportedBilling } from '../../core/usage-event.ts'
import { hasMoney, servedModel } from './gateway-generation.ts'
import { GatewayGenerations } from './gateway-generations.ts'
import type { JsonObject } from './json-leaves.ts'
import { toList, toName, toObject } from './json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

const GENERATION_ID_PREFIX = 'gen_'
const METADATA = { provider_metadata: true, providerMetadata: true } as const

export const gatewayMetadata: ShapeAddition = {
  needles: ['"gateway"', 'cost"', '"is_byok"', '"generationId"'],
  members: {
    ...METADATA,
    id: true,
    generationId: true,
    usage: true,
    response: METADATA,
    choices: [{ message: METADATA, delta: METADATA }],
  },
  createReader: () => new MetadataReader(),
}

class MetadataReader implements AdditionReader {
  readonly #generations = new GatewayGenerations()
  #rootGenerationId: string | null = null
  #rootId: string | null = null
  #generationId: string | null = null
  #servedModel: string | null = null
  #slug: string | null = null

  read(document: JsonObject): void {
    // The Responses dialect wraps its answer into `response`, that of Messages into `message`.
    const answer = toObject(document['response']) ?? toObject(document['message']) ?? document
    const id = toName(answer['id'])
    const rootGenerationId = toName(document['generationId'])
    const rootId = id?.startsWith(GENERATION_ID_PREFIX) ? id : null
    this.#rootGenerationId = rootGenerationId ?? this.#rootGenerationId
    this.#rootId = rootId ?? this.#rootId
    const slug = toName(answer['model'])
    if (slug?.includes('/')) this.#slug = slug
    const blocks = findBlocks(document)
    const usage = toObject(document['usage']) ?? toObject(answer['usage'])
    this.#readMoney(usage, blocks, rootGenerationId ?? rootId)
    for (const block of blocks) this.#servedModel = servedModel(block) ?? this.#servedModel
  }

  end(): AdditionReading {
    const generationId = this.#rootGenerationId ?? this.#rootId ?? this.#generationId
    const billing: ReportedBilling = { ...this.#generations.billing(), generationId }
    const { webSearches } = this.#generations
    return {
      // The upstream's own name lacks its maker; the slug that was repeated to the caller has it.
      model: this.#servedModel ?? this.#slug,
      billing: Object.values(billing).every((fact) => fact === null) ? null : billing,
      toolCalls: webSearches > 0 ? { web_search: webSearches } : {},
    }
  }

  /** A document's usage object speaks for all of its generations, so their own costs are not added. */
  #readMoney(usage: JsonObject | null, blocks: readonly JsonObject[], id: string | null): void {
    const blockIds = blocks.map((block) => toName(block['generationId']))
    this.#generationId = blockIds.findLast((each) => each !== null) ?? this.#generationId
    if (usage === null && blocks.length === 0) return
    const home = this.#generations.find(id ?? blockIds.find((each) => each !== null) ?? null)
    const isToldInUsage = usage !== null && hasMoney(usage)
    for (const [at, block] of blocks.entries()) {
      const blockId = blockIds[at] ?? null
      if (isToldInUsage && blockId !== null) this.#generations.join(blockId, home)
      const generation = blockId === null ? home : this.#generations.find(blockId)
      generation.readMetadata(block)
    }
    if (usage !== null) home.readUsage(usage)
  }
}

/** Both spellings, at each place in which a dialect has been seen to carry the gateway's own block. */
function findBlocks(document: JsonObject): readonly JsonObject[] {
  const choices = toList(document['choices']).map(toObject)
  const holders = [
    ...choices.flatMap((choice) => [choice?.['message'], choice?.['delta']]),
    document,
    document['response'],
    document['message'],
  ]
  return holders.map(findGateway).filter((block) => block !== null)
}

function findGateway(value: unknown): JsonObject | null {
  const holder = toObject(value)
  const spellings = [holder?.['provider_metadata'], holder?.['providerMetadata']]
  for (const metadata of spellings) {
    const gateway = toObject(toObject(metadata)?.['gateway'])
    if (gateway !== null) return gateway
  }
  return null
}
