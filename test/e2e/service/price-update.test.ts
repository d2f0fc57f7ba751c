// The daily update of prices in the real program: calls after it are priced by what was fetched.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'
import { openPriceServer, priceDataOf } from '../../fakes/peers/price-server.ts'
import { openScene } from '../scene.ts'

/** Processes report once a second; the rest is for a slow machine. */
const FIGURES_MS_MAX = 120_000

test('prices.update: apply fetches at the start, and it is counted and shown', async (t) => {
  const server = await openPriceServer(t)
  server.publish(priceDataOf('acme-9', 3))
  const { program } = await openScene(t, {
    PRICES_UPDATE: 'apply',
    PRICES_UPDATE_URL: server.url,
  })
  const until = systemClock.monotonic() + FIGURES_MS_MAX
  for (;;) {
    const metrics = await (await fetch(`${program.addresses.api}/metrics`)).text()
    if (metrics.includes('weir_price_updates_total{result="applied"} 1')) break
    assert.ok(systemClock.monotonic() < until, metrics)
    await pause(100)
  }
  const words = ['prices', 'quote', 'openai', 'acme-9', '--input', '1000000']
  // A million input tokens at 3 USD per million.
  assert.equal((await program.json<{ cost_usd: string }>(...words)).cost_usd, '3')
  const { price_data: data } = await program.json<{
    price_data: { imported_by: string; last_update: { result: string } }
  }>('prices', 'list')
  assert.deepEqual([data.imported_by, data.last_update.result], ['prices.update', 'applied'])
  assert.deepEqual(server.asked, ['GET /data.json'])
})
