// Statements on one connection, sent without waiting for the answers in between: a batch under the
// store's lock then takes one round trip instead of a dozen. No COPY may run meanwhile: the driver
// cannot send it together with others.

import type { PoolClient } from 'pg'
import type { Sql, Statement } from '../sql/sql.ts'

/** From here on; the connection is given back as it was. */
export function sendTogether(client: PoolClient, isTogether: boolean): void {
  // An option of the constructor in the driver's types, and looked at before every statement.
  ;(client as { pipeline: boolean }).pipeline = isTogether
}

/** Waits for all; throws what failed first: in a transaction the rest fails because of it. */
export async function settleAll<Results extends readonly unknown[]>(
  started: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  const settled = await Promise.allSettled(started as readonly Promise<unknown>[])
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}

export function startAll(sql: Sql, statements: readonly Statement[]): Promise<number>[] {
  return statements.map(({ text, values }) => sql.run(text, values))
}
