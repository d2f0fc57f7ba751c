// What SQL texts over usage must say differently to each engine. Must stay true: what callers send
// goes into parameters, and the number of different texts is limited.

import type { Cost } from '../../../core/usage-record.ts'
import type { SqlValue, Statement } from '../../sql/sql.ts'

/** A condition with the values of its `?`, in order. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export interface NewCost {
  readonly id: string
  readonly cost: Cost
}

export interface Dialect {
  /** The column has one of these whole numbers; one parameter, however many there are. */
  isAmong(column: string, numbers: readonly number[]): Condition
  /** The column has one of these texts; never true of none. */
  isOneOf(column: string, texts: readonly string[]): Condition
  /** Ignoring the case of ASCII letters; patterns of LIKE, with a backslash as their escape. */
  isLike(column: string, patterns: readonly string[]): Condition
  /** The id of a record or an open call is one of these. */
  hasId(ids: readonly string[]): Condition
  /** A call carries the dimension, with one of these values; null stands for any. */
  hasDim(key: string, values: readonly string[] | null): Condition
  /** What a call carries of the dimension; null for nothing. */
  dimValue(key: string): Condition
  /** Of whole numbers that are not negative, rounded down. */
  divide(dividend: string, divisor: string): string
  /** A sum that no sizes can overflow; exact up to 2^53. */
  readonly total: (expression: string) => string
  /** What the costs of records come to that meet the condition, for fromCostSum. */
  readonly sumCosts: (condition: string) => string
  /** The largest cost of records that meet the condition, in digits; null where none does. */
  readonly largestCost: (condition: string) => string
  /** Gives each record its new cost. */
  changeCosts(changes: readonly NewCost[]): readonly Statement[]
  /** As a parameter that is compared with `records.id`. */
  readonly toId: (bytes: Uint8Array) => SqlValue
  /** The cost of a record as a floating-point number. */
  readonly costNumber: string
  /** A record costs something. */
  readonly isCharged: string
  /** All dimensions of a call as JSON, null for none; `dims` itself may have ids in it. */
  readonly dims: string
  /** The market cost that a provider stated, as text. */
  readonly marketCost: string
  /** Behind FROM, with a WHERE: records that ended long after they began. */
  readonly longCalls: string
  /** The same, of records that ended before they began. */
  readonly backCalls: string
  /** A text as it can be stored: PostgreSQL has no U+0000. */
  readonly toText: (text: string) => string
  /** OTHER_NAME as it is stored. */
  readonly otherName: string
  /** Records are in a table for each month: to plan a question over all of them takes a while. */
  readonly isPartitioned: boolean
  /** Other nodes write to the database, too. */
  readonly isShared: boolean
}
