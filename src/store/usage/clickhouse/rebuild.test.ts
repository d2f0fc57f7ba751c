import { after, test } from 'node:test'
import { usageRebuildContract } from '../../../../test/contracts/usage/usage-rebuild-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { withUsage } from '../../../../test/fakes/postgres/usage-place.ts'

if (NEEDS_CLICKHOUSE === false) {
  const createPlace = createClickhousePlaces(after)
  const createTampered = async () => {
    const place = await createPlace()
    return {
      ...place,
      tamper: async (sql: string) =>
        void (await withUsage(place.url, (database) => database.run(sql))),
    }
  }
  usageRebuildContract('ClickHouse', createTampered, { hasParts: false })
} else {
  test('ClickHouse', { skip: NEEDS_CLICKHOUSE })
}
