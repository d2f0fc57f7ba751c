// The results of a batch: a file of JSON lines, one answer per request. Must stay true: a file is
// counted whole or not at all, and once; memory does not grow with the file or its lines.

import { totalTokens } from '../../core/token-counts.ts'
import type { UsageShare } from '../../core/usage-event.ts'
import { toBuffer } from '../../wire/growing-bytes.ts'
import { createJsonMembers } from '../../wire/json/json-members.ts'
import type { JsonMembers, JsonShape } from '../../wire/json/json-members.ts'
import { noNames } from '../requested-models/model-names.ts'
import { NO_READING } from '../provider.ts'
import type { Operation, Reading, UsageReader } from '../provider.ts'
import type { JsonObject } from './json-leaves.ts'
import { toName } from './json-leaves.ts'
import { ModelShares, OTHER_MODELS } from './model-shares.ts'
import { toReadable } from './readable-counts.ts'

const SERVICE_TIER = 'batch'
/** For lines of several prices: no price table has it. */
const MIXED_TIERS = 'batch+mixed'
const LF = 10
const SPACE = 32

export interface BatchLine {
  /** Empty for a request that failed. */
  readonly shares: readonly UsageShare[]
  readonly toolCalls?: Readonly<Record<string, number>>
  /** Left out for the plain tier of batches. */
  readonly serviceTier?: string
}

export interface BatchResultsOptions {
  readonly name: string
  /** Anchored at both ends; its group `id` is what is downloaded. */
  readonly path: RegExp
  /** Prefix of that id under which the results are counted: `batch-file`. */
  readonly countedAs: string
  readonly members: JsonShape
  /** Null where the line is not a batch's result: then it is another kind of file. */
  readLine(line: JsonObject): BatchLine | null
}

export function batchResults(options: BatchResultsOptions): Operation {
  const { name, path } = options
  return {
    name,
    matches: (request) => request.method === 'GET' && path.test(request.path),
    createModelReader: () => null,
    createNamesReader: noNames,
    createUsageReader(request, response) {
      const id = toName(path.exec(request.path)?.groups?.['id'])
      // Any other status is an error or, with 206, a piece of the file.
      if (id === null || response.status !== 200) return UNCHARGED
      return new BatchReader(options, `${options.countedAs}:${id}`)
    },
  }
}

const NOT_DUE: Reading = { ...NO_READING, isCharged: false }
const UNCHARGED: UsageReader = { feed() {}, end: () => NOT_DUE }

class BatchReader implements UsageReader {
  readonly #options: BatchResultsOptions
  readonly #countedAs: string
  readonly #shares = new ModelShares()
  readonly #toolCalls: Record<string, number> = {}
  #line: JsonMembers | null = null
  #lines = 0
  #unreadLines = 0
  #serviceTier: string | null = null
  #isOther = false

  constructor(options: BatchResultsOptions, countedAs: string) {
    this.#options = options
    this.#countedAs = countedAs
  }

  feed(bytes: Uint8Array): void {
    const chunk = toBuffer(bytes)
    let at = 0
    while (at < chunk.length && !this.#isOther) {
      const end = chunk.indexOf(LF, at)
      this.#feedLine(chunk.subarray(at, end === -1 ? chunk.length : end))
      if (end === -1) return
      this.#closeLine()
      at = end + 1
    }
  }

  end(isWhole: boolean): Reading {
    if (isWhole) this.#closeLine()
    if (this.#isOther || this.#lines === 0) return NOT_DUE
    // The rest will be counted with these lines when the file is downloaded again.
    if (!isWhole) return { ...NOT_DUE, kind: 'partial' }
    return this.#shares.tokens === null ? NOT_DUE : toReadable(this.#toReading())
  }

  #feedLine(piece: Buffer): void {
    if (this.#line === null) {
      if (piece.every((byte) => byte <= SPACE)) return
      this.#line = createJsonMembers({ shape: this.#options.members })
    }
    this.#line.feed(piece)
    // The first bytes show a picture or a sound, which may have no line at all.
    this.#isOther = this.#lines === 0 && this.#line.isDone
  }

  #closeLine(): void {
    if (this.#line === null || this.#isOther) return
    const { kind, value } = this.#line.end()
    this.#line = null
    const result = kind === 'whole' ? this.#options.readLine(value) : null
    if (result !== null) this.#add(result)
    else if (this.#lines === 0) this.#isOther = true
    else this.#unreadLines++
    this.#lines++
  }

  #add({ shares, toolCalls = {}, serviceTier = SERVICE_TIER }: BatchLine): void {
    if (shares.length > 0) {
      const isSame = this.#serviceTier === null || this.#serviceTier === serviceTier
      this.#serviceTier = isSame ? serviceTier : MIXED_TIERS
    }
    for (const { model, tokens } of shares) this.#shares.add(model ?? OTHER_MODELS, tokens)
    for (const [kind, count] of Object.entries(toolCalls)) {
      this.#toolCalls[kind] = (this.#toolCalls[kind] ?? 0) + count
    }
  }

  #toReading(): Reading {
    const largest = this.#shares
      .toList()
      .reduce((one, other) => (totalTokens(other.tokens) > totalTokens(one.tokens) ? other : one))
    const shares = this.#shares.toShares(largest.model)
    return {
      ...NO_READING,
      kind: this.#unreadLines === 0 ? 'reported' : 'partial',
      model: largest.model,
      tokens: this.#shares.tokens,
      toolCalls: this.#toolCalls,
      serviceTier: this.#serviceTier,
      countedAs: this.#countedAs,
      ...(shares === undefined ? {} : { shares }),
    }
  }
}
