import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { usageRebuildContract } from '../../../../../test/contracts/usage/usage-rebuild-contract.ts'
import { NEEDS_CLICKHOUSE } from '../../../../../test/fakes/clickhouse/find-clickhouse.ts'
import { createSqliteBookPlaces } from '../../../../../test/fakes/clickhouse/usage-place.ts'

if (NEEDS_CLICKHOUSE === false) {
  const createPlace = createSqliteBookPlaces(after)
  const createTampered = async () => {
    const place = await createPlace()
    return {
      ...place,
      tamper: async (sql: string) => {
        const database = new DatabaseSync(place.file)
        database.exec(sql)
        database.close()
      },
    }
  }
  usageRebuildContract('ClickHouse and SQLite', createTampered, { hasParts: false })
} else {
  test('ClickHouse and SQLite', { skip: NEEDS_CLICKHOUSE })
}
