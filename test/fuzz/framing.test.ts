import assert from 'node:assert/strict'
import { test } from 'node:test'

import { compareFraming } from './compare-framing.ts'
import { compareResponses } from './compare-responses.ts'
import { openNodeReader, readWithWeir } from './read-requests.ts'
import { readResponseWithNode, readResponseWithWeir } from './read-responses.ts'

test("frames nothing otherwise than Node's parser, and accepts nothing that it refuses", async () => {
  // A seed of its own for every run finds more over time; the message says how to repeat it.
  const seed = Math.floor(Math.random() * 2 ** 32)
  const { compared, refusedByWeir, disagreements } = await compareFraming({ seed, count: 15_000 })
  assert.deepEqual(disagreements, [], `node scripts/fuzz.ts --seed ${seed} --count 15000`)
  // Otherwise the comparison would prove nothing.
  assert.ok(compared > 8000, `only ${compared} requests were compared`)
  assert.ok(refusedByWeir > 3000, `only ${refusedByWeir} sequences were refused`)
})

test('the comparison itself distinguishes two framings', async () => {
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

test("frames no response otherwise than Node's parser, and accepts none that it refuses", async () => {
  const seed = Math.floor(Math.random() * 2 ** 32)
  const { compared, refusedByWeir, disagreements } = await compareResponses({ seed, count: 15_000 })
  assert.deepEqual(disagreements, [], `node scripts/fuzz.ts --seed ${seed} --count 15000`)
  assert.ok(compared > 5000, `only ${compared} responses were compared`)
  assert.ok(refusedByWeir > 3000, `only ${refusedByWeir} responses were refused`)
})

test('the comparison of responses distinguishes two framings', async () => {
  const head = 'HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\n'
  const rows: [method: string, text: string, body: string, isWhole: boolean][] = [
    ['POST', `${head}Content-Length: 3\r\n\r\nabcd`, 'abc', true],
    ['POST', `${head}Content-Length: 3\r\n\r\nab`, 'ab', false],
    ['POST', `${head}Transfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n0\r\n\r\n`, 'ab', true],
    ['POST', `${head}Transfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n`, 'ab', false],
    ['POST', `${head}\r\nuntil the end`, 'until the end', true],
    ['HEAD', `${head}Content-Length: 3\r\n\r\n`, '', true],
  ]
  for (const [method, text, body, isWhole] of rows) {
    const node = await readResponseWithNode({ method, text })
    assert.deepEqual([node.head?.status, node.body, node.isWhole], [200, body, isWhole], text)
    const { refusal, ...seen } = readResponseWithWeir({ method, text })
    assert.deepEqual({ ...seen, refusal: node.refusal }, node)
    assert.equal(refusal, null)
  }
})
