// What SQL texts over usage must say differently to each engine. Must stay true: what callers send
// goes into parameters, and the number of different texts is limited.

import type { SqlValue } from '../../sql/sql.ts'

/** A condition with the values of its `?`, in order. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

export interface Dialect {
  /** The column has one of these whole numbers; one parameter, however many there are. */
  isAmong(column: string, numbers: readonly number[]): Condition
  /** The column has one of these texts; never true of none. */
  isOneOf(column: string, texts: readonly string[]): Condition
  /** Ignoring the case of ASCII letters; patterns of LIKE, with a backslash as their escape. */
  isLike(column: string, patterns: readonly string[]): Condition
  /** A call carries the dimension, with one of these values; null stands for any. */
  hasDim(key: string, values: readonly string[] | null): Condition
  /** Of whole numbers that are not negative, rounded down. */
  divide(dividend: string, divisor: string): string
  /** As a parameter that is compared with `records.id`. */
  toId(bytes: Uint8Array): SqlValue
  /** All dimensions of a call as JSON, null for none; `dims` itself may have ids in it. */
  readonly dims: string
  /** The market cost that a provider stated, as text. */
  readonly marketCost: string
  /** Behind FROM, with a WHERE: records that ended long after they began. */
  readonly longCalls: string
  /** The same, of records that ended before they began. */
  readonly backCalls: string
}
