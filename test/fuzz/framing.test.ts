import assert from 'node:assert/strict'
import { test } from 'node:test'

import { compareFraming } from './compare-framing.ts'
import { openNodeReader, readWithWeir } from './read-requests.ts'

test("frames nothing otherwise than Node's parser, and accepts nothing that it refuses", async () => {
  // A seed of its own for every run finds more over time; the message says how to repeat it.
  const seed = Math.floor(Math.random() * 2 ** 32)
  const { compared, refusedByWeir, disagreements } = await compareFraming({ seed, count: 15_000 })
  assert.deepEqual(disagreements, [], `node scripts/fuzz.ts --seed ${seed} --count 15000`)
  // Otherwise the comparison would prove nothing.
  assert.ok(compared > 8000, `only ${compared} requests were compared`)
  assert.ok(refusedByWeir > 3000, `only ${refusedByWeir} sequences were refused`)
})

test('the comparison itself tells two framings apart', async () => {
  const node = openNodeReader()
  const text =
    'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcPOST / HTTP/1.1\r\nHost: h\r\n\r\n'
  const seen = await node.read(text)
  node.close()
  assert.deepEqual(readWithWeir(text), seen)
  assert.deepEqual(
    seen.requests.map((request) => request.body),
    ['abc', ''],
  )
  assert.notDeepEqual(readWithWeir(text.replace(': 3', ': 2')), seen)
})
