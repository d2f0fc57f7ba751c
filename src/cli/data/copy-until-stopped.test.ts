import assert from 'node:assert/strict'
import { test } from 'node:test'

import { systemClock } from '../../core/clock.ts'
import type { CommandInput } from '../command.ts'
import { copyUntilStopped } from './copy-until-stopped.ts'

test('a Weir that is stopped between two passes is noticed within a moment', async () => {
  const said: string[] = []
  const input = { clock: systemClock, values: {}, err: (line: string) => said.push(line) }
  const release = (): void => {}
  let looks = 0
  let copies = 0
  const stopped = await copyUntilStopped(input as unknown as CommandInput, {
    move: { copyRecords: async () => (copies += 1) },
    claim: async () => (++looks > 3 ? release : null),
    // The next pass would be days later.
    paces: { passMs: 1e9, lookMs: 1 },
  })
  assert.equal(stopped, release)
  assert.deepEqual([looks, copies], [4, 1])
  assert.match(said[0] ?? '', /^1 calls copied while Weir runs\. Stop Weir now/)
})
