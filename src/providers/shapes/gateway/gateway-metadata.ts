// What Vercel's AI Gateway adds to any shape: charge, list price, whose provider key served, the
// model that ran. Must stay true: each is found in every spelling and place that a dialect uses.

import type { ReportedBilling } from '../../../core/usage-event.ts'
import { hasMoney, servedModel } from './gateway-generation.ts'
import { GatewayGenerations } from './gateway-generations.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toList, toName, toObject } from '../json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from '../shape-addition.ts'

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
    message: { ...METADATA, id: true },
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
    // The Responses dialect wraps its answer in `response`, that of Messages in `message`.
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
      // The upstream's name lacks its maker; the slug repeated to the caller has it.
      model: this.#servedModel ?? this.#slug,
      billing: isEmpty(billing) ? null : billing,
      toolCalls: webSearches > 0 ? { web_search: webSearches } : {},
    }
  }

  /** A document's usage covers all of its generations, so their own costs are not added. */
  #readMoney(usage: JsonObject | null, blocks: readonly JsonObject[], id: string | null): void {
    if (usage === null && blocks.length === 0) return
    const home = this.#generations.find(id ?? firstId(blocks))
    const isStatedInUsage = usage !== null && hasMoney(usage)
    for (const block of blocks) {
      const blockId = toName(block['generationId'])
      this.#generationId = blockId ?? this.#generationId
      if (isStatedInUsage && blockId !== null) this.#generations.join(blockId, home)
      const generation = blockId === null ? home : this.#generations.find(blockId)
      generation.readMetadata(block)
    }
    if (usage !== null) home.readUsage(usage)
  }
}

function firstId(blocks: readonly JsonObject[]): string | null {
  for (const block of blocks) {
    const id = toName(block['generationId'])
    if (id !== null) return id
  }
  return null
}

function isEmpty({ cost, marketCost, isByok, generationId }: ReportedBilling): boolean {
  return cost === null && marketCost === null && isByok === null && generationId === null
}

/** Both spellings, at each place where a dialect is known to have the gateway's own block. */
function findBlocks(document: JsonObject): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  for (const each of toList(document['choices'])) {
    const choice = toObject(each)
    pushGateway(blocks, choice?.['message'])
    pushGateway(blocks, choice?.['delta'])
  }
  pushGateway(blocks, document)
  pushGateway(blocks, document['response'])
  pushGateway(blocks, document['message'])
  return blocks
}

function pushGateway(blocks: JsonObject[], value: unknown): void {
  const parent = toObject(value)
  if (parent === null) return
  const gateway =
    toObject(toObject(parent['provider_metadata'])?.['gateway']) ??
    toObject(toObject(parent['providerMetadata'])?.['gateway'])
  if (gateway !== null) blocks.push(gateway)
}
