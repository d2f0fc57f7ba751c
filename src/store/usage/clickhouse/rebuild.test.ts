import { after, test } from 'node:test'
import { usageRebuildContract } from '../../../../test/contracts/usage/usage-rebuild-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createClickhousePlaces } from '../../../../test/fakes/clickhouse/usage-place.ts'
import { LONG_ONLY } from '../../../../test/long-form.ts'
import { withUsage } from '../../../../test/fakes/postgres/usage-place.ts'

// The sums and the rebuilding of them are PostgreSQL's, which has this suite from its own tests;
// that they agree with ClickHouse's calls is asked by the tests of `exactly-once.test.ts`.
const skip = NEEDS_CLICKHOUSE || LONG_ONLY
if (skip === false) {
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
  test('ClickHouse', { skip })
}
