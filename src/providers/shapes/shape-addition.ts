// What a provider reports beyond a shared shape, which thus need not ask which provider it serves.

import type { ReportedBilling, UsageShare } from '../../core/usage-event.ts'
import type { JsonShape } from '../../wire/json/json-members.ts'
import type { JsonObject } from './json-leaves.ts'

export interface ShapeAddition {
  /** Texts that mark an event of a stream as worth reading. */
  readonly needles: readonly string[]
  /** Members kept of a large body, beside the shape's own. */
  readonly members: JsonShape
  /** Renames this provider's members to those of the shape. */
  translate?(document: JsonObject): JsonObject
  createReader(): AdditionReader
}

export interface AdditionReader {
  read(document: JsonObject): void
  end(): AdditionReading
}

export interface AdditionReading {
  /** Replaces the model that the shape has read; null leaves it. */
  readonly model: string | null
  readonly billing: ReportedBilling | null
  readonly toolCalls: Readonly<Record<string, number>>
  /** Replaces the shape's tokens: several models ran, with figures for each. */
  readonly shares?: readonly UsageShare[]
}
