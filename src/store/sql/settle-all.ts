// Reads that are begun together, and all waited for.

/** Throws what failed first: in a transaction the rest fails because of it. */
export async function settleAll<Results extends readonly unknown[]>(
  started: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  const settled = await Promise.allSettled(started as readonly Promise<unknown>[])
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}
