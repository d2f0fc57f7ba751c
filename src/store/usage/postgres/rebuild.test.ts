import { after } from 'node:test'
import { usageRebuildContract } from '../../../../test/contracts/usage/usage-rebuild-contract.ts'
import { createPostgresPlaces, withUsage } from '../../../../test/fakes/postgres/usage-place.ts'

const createPlace = createPostgresPlaces(after)

usageRebuildContract('PostgreSQL', async () => {
  const place = await createPlace()
  return {
    ...place,
    tamper: async (sql) => void (await withUsage(place.url, (database) => database.run(sql))),
  }
})
