import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TokenScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import type { AlertRow } from '../contract.ts'
import { toShownAlert } from './shown-to.ts'

const AT = '2026-03-15T12:00:00.000Z'

function alertOf(data: AlertRow['body']['data']): AlertRow {
  const [type, deliveries] = ['spend.anomaly', []] as const
  return {
    id: 'msg_1',
    type,
    budget_id: null,
    at: AT,
    body: { type, timestamp: AT, data },
    deliveries: [...deliveries],
  }
}

const token = (...scopes: TokenScope[]): Caller => ({
  kind: 'token',
  id: 'svc_agt_1',
  name: 'test',
  userId: null,
  scopes,
})

const OF_KEY = { subject: { kind: 'api_key', name: 'svc_k_1' }, day: '2026-03-15' }
const OF_KEY_BUDGET = { budget: { id: 'bud_1', scope: 'api_key=svc_k_1' }, spent_usd: 1 }

/** What is in the body, and what is shown of it to who may only read usage. */
const ROWS = [
  [OF_KEY, { subject: { kind: 'api_key', name: '…' }, day: '2026-03-15' }],
  [OF_KEY_BUDGET, { budget: { id: 'bud_1', scope: 'api_key=…' }, spent_usd: 1 }],
  [{ subject: { kind: 'dim', name: 'team=a' } }, { subject: { kind: 'dim', name: 'team=a' } }],
  [{ budget: { scope: 'dim:api_key=x' } }, { budget: { scope: 'dim:api_key=x' } }],
  [{ target_id: 'tgt_1' }, { target_id: 'tgt_1' }],
] as const

test('who may not read keys is not shown which key an alert is about', () => {
  for (const [data, shown] of ROWS) {
    assert.deepEqual(toShownAlert(alertOf(data), token('read:usage')).body.data, shown)
    for (const scope of ['read:keys', 'write:budgets', 'admin'] as const) {
      assert.deepEqual(toShownAlert(alertOf(data), token('read:usage', scope)).body.data, data)
    }
  }
})
