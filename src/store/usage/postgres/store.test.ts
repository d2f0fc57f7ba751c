import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { requestLogContract } from '../../../../test/contracts/request-log-contract.ts'
import { requestOrderContract } from '../../../../test/contracts/request-order-contract.ts'
import { daySpendContract } from '../../../../test/contracts/usage/day-spend-contract.ts'
import { dimensionPlacesContract } from '../../../../test/contracts/usage/dimension-places-contract.ts'
import { spanCostsContract } from '../../../../test/contracts/usage/span-costs-contract.ts'
import { usageStoreContract } from '../../../../test/contracts/usage/usage-store-contract.ts'
import { usageUpkeepContract } from '../../../../test/contracts/usage/usage-upkeep-contract.ts'
import { batchOf, createRecord, OCTOBER } from '../../../../test/contracts/usage-scene.ts'
import { listPostgresPrograms } from '../../../../test/fakes/postgres/test-database.ts'
import { createPostgresPlaces } from '../../../../test/fakes/postgres/usage-place.ts'

for (const programs of listPostgresPrograms()) {
  const createPlace = createPostgresPlaces(after, programs)
  usageStoreContract(programs.title, createPlace)
  requestLogContract(programs.title, createPlace)
  requestOrderContract(programs.title, createPlace)
  daySpendContract(programs.title, createPlace)
  spanCostsContract(programs.title, createPlace)
  usageUpkeepContract(programs.title, createPlace)
  dimensionPlacesContract(programs.title, createPlace)
}

test('answers are of one moment, whatever another process writes between them', async () => {
  const place = await createPostgresPlaces(after)()
  const [store, beside] = [await place.open(), await place.open()]
  const total = { period: OCTOBER, grouping: { by: 'total' }, keyId: null } as const
  await beside.writeBatch(batchOf(createRecord()))
  let isAsking = true
  const writing = (async () => {
    while (isAsking) await beside.writeBatch(batchOf(createRecord()))
  })()
  const seen = new Set<number>()
  // Until what was written in between shows in a later moment.
  while (seen.size < 3) {
    const questions = Array.from({ length: 20 }, () => total)
    const { sums: answers } = await store.usage.readSnapshot({ questions, spans: [] })
    const counts = new Set(answers.map(([sum]) => sum?.requests))
    assert.equal(counts.size, 1)
    seen.add(answers[0]?.[0]?.requests ?? 0)
  }
  isAsking = false
  await writing
  await beside.close()
  await store.close()
  await place.remove()
})
