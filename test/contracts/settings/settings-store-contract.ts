// What every settings store must do, as tests. A backend runs it with a few lines of its own.

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { auditLinesContract, auditStoreContract } from './audit-store-contract.ts'
import { alertStoreContract } from './alert-store-contract.ts'
import { incidentMarkContract } from './incident-mark-contract.ts'
import { deviceSignInContract } from './device-sign-in-contract.ts'
import { groupStoreContract } from './group-store-contract.ts'
import { budgetStoreContract } from './budget-store-contract.ts'
import { counterStoreContract } from './counter-store-contract.ts'
import { targetStoreContract } from './target-store-contract.ts'
import { tokenStoreContract } from './token-store-contract.ts'
import { alertClaimsContract, alertDeliveriesContract } from './alert-deliveries-contract.ts'
import { askStoreContract } from './ask-store-contract.ts'
import { personKeysContract } from './person-keys-contract.ts'
import { membershipContract, teamStoreContract } from './team-store-contract.ts'
import { keyChangesContract, keyStoreContract } from './key-store-contract.ts'
import { priceStoreContract } from './price-store-contract.ts'
import { sessionRotationContract, sessionStoreContract } from './session-store-contract.ts'
import {
  accessLimitsContract,
  budgetLimitsContract,
  priceLimitsContract,
  snapshotLimitsContract,
} from './settings-limits-contract.ts'
import { setupCodeContract } from './setup-code-contract.ts'
import { snapshotStoreContract } from './snapshot-store-contract.ts'
import {
  provisionedUserContract,
  userLinksContract,
  userStoreContract,
} from './user-store-contract.ts'
import { viewStoreContract } from './view-store-contract.ts'
import { createRun, FULL_KEY, PLAIN_KEY } from '../settings-scene.ts'
import type { OpenSettings, Run } from '../settings-scene.ts'

export function settingsStoreContract(name: string, open: OpenSettings): void {
  const run = createRun(open)
  describe(`${name}: keys`, () => keyStoreContract(run))
  describe(`${name}: key changes`, () => keyChangesContract(run))
  describe(`${name}: personal keys`, () => personKeysContract(run))
  describe(`${name}: teams`, () => teamStoreContract(run))
  describe(`${name}: members of teams`, () => membershipContract(run))
  describe(`${name}: prices`, () => priceStoreContract(run))
  describe(`${name}: budgets`, () => budgetStoreContract(run))
  describe(`${name}: targets of alerts`, () => targetStoreContract(run))
  describe(`${name}: alerts`, () => alertStoreContract(run))
  describe(`${name}: incidents`, () => incidentMarkContract(run))
  describe(`${name}: deliveries`, () => alertDeliveriesContract(run))
  describe(`${name}: asks`, () => askStoreContract(run))
  describe(`${name}: claims of deliveries`, () => alertClaimsContract(run))
  describe(`${name}: snapshots`, () => snapshotStoreContract(run))
  describe(`${name}: counts`, () => counterStoreContract(run))
  describe(`${name}: tokens`, () => tokenStoreContract(run))
  describe(`${name}: users`, () => userStoreContract(run))
  describe(`${name}: users of a directory`, () => provisionedUserContract(run))
  describe(`${name}: groups of a directory`, () => groupStoreContract(run))
  describe(`${name}: passwords and links of users`, () => userLinksContract(run))
  describe(`${name}: sessions`, () => sessionStoreContract(run))
  describe(`${name}: the rotation of sessions`, () => sessionRotationContract(run))
  describe(`${name}: sign-ins by device code`, () => deviceSignInContract(run))
  describe(`${name}: saved views`, () => viewStoreContract(run))
  describe(`${name}: what the audit log tells`, () => auditLinesContract(run))
  describe(`${name}: the audit log`, () => auditStoreContract(run))
  describe(`${name}: the setup code`, () => setupCodeContract(run))
  describe(`${name}: limits of keys, tokens and users`, () => accessLimitsContract(run))
  describe(`${name}: limits of snapshots`, () => snapshotLimitsContract(run))
  describe(`${name}: limits of prices`, () => priceLimitsContract(run))
  describe(`${name}: limits of budgets`, () => budgetLimitsContract(run))
  describe(`${name}: the store`, () => storeTests(run))
}

function storeTests(run: Run): void {
  run('what was stored is there after it was opened again', async ({ store, reopen }) => {
    await store.keys.create(FULL_KEY)
    await store.tokens.create({
      name: 'reader',
      scopes: ['read:usage'],
      teamId: null,
      expiresAt: null,
    })
    const before = [await store.keys.list(), await store.tokens.list()]
    const { revision } = await store.keys.readChanges(0)
    await store.close()
    const again = await reopen()
    assert.deepEqual([await again.keys.list(), await again.tokens.list()], before)
    assert.equal((await again.keys.readChanges(0)).revision, revision)
  })

  run('a sound store has no fault', async ({ store }) => {
    assert.equal(await store.check(), null)
  })

  run('its time is that of its clock', async ({ store, clock }) => {
    clock.nowMs += 5
    assert.deepEqual([store.clock.now(), store.clock.offsetMs()], [clock.nowMs, 0])
  })

  run('closing twice does no harm', async ({ store }) => {
    await store.close()
    await store.close()
  })

  run('a closed store says so', async ({ store }) => {
    await store.close()
    await assert.rejects(store.keys.list(), { code: 'store_unusable' })
    await assert.rejects(store.keys.create(PLAIN_KEY), { code: 'store_unusable' })
  })
}
