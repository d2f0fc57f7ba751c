// What a provider says beyond the shape that it shares with others: its own money, its routing. A
// shape is given additions instead of asking which provider it serves.

import type { ReportedBilling, UsageShare } from '../../core/usage-event.ts'
import type { JsonShape } from '../../wire/json/json-members.ts'
import type { JsonObject } from './json-leaves.ts'

export interface ShapeAddition {
  /** Texts that mark an event of a stream as worth reading. */
  readonly needles: readonly string[]
  /** Members that are kept of a large body, beside the shape's own. */
  readonly members: JsonShape
  /** The document in the words of the shape, where this provider has others for the same thing. */
  translate?(document: JsonObject): JsonObject
  createReader(): AdditionReader
}

export interface AdditionReader {
  read(document: JsonObject): void
  end(): AdditionReading
}

export interface AdditionReading {
  /** Overrules the model that the shape has read; null leaves it. */
  readonly model: string | null
  readonly billing: ReportedBilling | null
  readonly toolCalls: Readonly<Record<string, number>>
  /**
   * Overrule the tokens that the shape has read: several models ran, and each one's figures came.
   */
  readonly shares?: readonly UsageShare[]
}
