// An upstream that repeats what it was sent cannot show a caller the stored credential: it is in no
// URL, and where a header, an informational response or a trailer has it, it is taken out.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'

import { openRawClient } from '../fakes/callers/raw-client.ts'
import { ID_LINE, openRelayScene } from '../fakes/relay-scene.ts'
import type { RelayScene } from '../fakes/relay-scene.ts'
import { writeCut } from './play-wire.ts'

const STORED = 'sk-stored/credential+1'
const ESCAPED = encodeURIComponent(STORED)
const BASIC = `Basic ${btoa(`user:${STORED}`)}`

interface Echo {
  /** What the upstream answers, and how many bytes at a time. */
  readonly answer: string
  readonly cut?: number
  readonly recordsFirst?: boolean
  /** False: the caller brings a credential of its own. */
  readonly isStored?: boolean
  readonly lines?: string
}

const sampleOf = ({ proxy }: RelayScene): number =>
  proxy.meter
    .samples()
    .filter(({ metric }) => metric === 'credentialsTakenOut')
    .reduce((sum, { value }) => sum + value, 0)

/** What the caller gets without the line that Weir adds, and how often something was taken out. */
async function receive(t: TestContext, echo: Echo): Promise<[answer: string, count: number]> {
  const { answer, cut = answer.length, recordsFirst = false, isStored = true, lines = '' } = echo
  const scene = await openRelayScene(t, ({ socket }) => void writeCut(socket, answer, [cut]), {
    recordsFirst,
    credentials: { some: { choose: () => STORED } },
    key: { useCredentials: ['some'] },
  })
  const client = await openRawClient(scene.proxy.port)
  const own = isStored ? '' : `Authorization: Bearer ${STORED}\r\n`
  client.send(`GET /v1/some/a HTTP/1.1\r\n${scene.headers}${own}${lines}\r\n`)
  const received = await client.until(
    (text) => text.endsWith('END') || text.endsWith('END: 1\r\n\r\n'),
  )
  client.socket.destroy()
  return [received.replace(ID_LINE, ''), sampleOf(scene)]
}

const END = 'Content-Length: 3\r\n\r\nEND'

describe('the stored credential is taken out of', () => {
  for (const cut of [undefined, 1]) {
    const how = cut === undefined ? 'in one piece' : 'a byte at a time'
    const at = cut === undefined ? {} : { cut }

    test(`headers, ${how}`, async (t) => {
      const answer = `HTTP/1.1 302 Go ${STORED}\r\nLocation: https://a/b?key=${ESCAPED}&c=1\r\nA: 1\r\nX-Auth: ${BASIC}\r\n${END}`
      const expected = `HTTP/1.1 302 Go \r\nLocation: https://a/b?key=&c=1\r\nA: 1\r\nX-Auth: \r\n${END}`
      assert.deepEqual(await receive(t, { answer, ...at }), [expected, 3])
    })

    test(`informational responses, ${how}`, async (t) => {
      const hints = (text: string): string =>
        `HTTP/1.1 103 Early Hints\r\nLink: </a?key=${text}>\r\n\r\nHTTP/1.1 200 OK\r\n${END}`
      const received = await receive(t, { answer: hints(STORED), ...at })
      assert.deepEqual(received, [hints(''), 1])
    })

    for (const recordsFirst of [false, true]) {
      const when = recordsFirst ? ', of an answer that waits for its record' : ''
      test(`trailers, ${how}${when}`, async (t) => {
        const write = (...trailers: readonly string[]): string =>
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${trailers.join('')}END: 1\r\n\r\n`
        const repeated = [`X: ${STORED}\r\n`, 'Y: 1\r\n', `Z: ${ESCAPED}\r\n`, `B: ${BASIC}\r\n`]
        const received = await receive(t, { answer: write(...repeated), recordsFirst, ...at })
        assert.deepEqual(received, [write('Y: 1\r\n'), 3])
      })
    }
  }

  test('the answer that upgrades the connection', async (t) => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
    const write = (text: string): string =>
      `HTTP/1.1 101 Switching Protocols\r\nX-Url: wss://a/?key=${text}\r\n${upgrade}\r\n`
    const answer = `${write(STORED)}\x81\x03END`
    assert.deepEqual(await receive(t, { answer, lines: upgrade }), [`${write('')}\x81\x03END`, 1])
  })
})

test('an answer without it, or to a call with a credential of its own, stays as it is', async (t) => {
  const plain = `HTTP/1.1 200 OK\r\nA: %zz%41\r\nB: ${STORED.slice(1)}\r\n${END}`
  assert.deepEqual(await receive(t, { answer: plain }), [plain, 0])
  const own = `HTTP/1.1 200 OK\r\nA: ${STORED}\r\n${END}`
  assert.deepEqual(await receive(t, { answer: own, isStored: false }), [own, 0])
})

test('a key in the query is in no URL that an upstream repeats, nor is the credential', async (t) => {
  const scene = await openRelayScene(
    t,
    ({ socket, received }) => {
      const target = received.split(' ')[1] ?? ''
      socket.write(
        `HTTP/1.1 200 OK\r\nX-Goog-Upload-URL: https://up${target}&upload_id=1\r\n${END}`,
      )
    },
    { credentials: { some: { choose: () => STORED } }, key: { useCredentials: ['some'] } },
  )
  const client = await openRawClient(scene.proxy.port)
  const query = `uploadType=resumable&key=${scene.proxy.credential}&b=%2F`
  client.send(`POST /v1/some/upload?${query} HTTP/1.1\r\nHost: p\r\nContent-Length: 0\r\n\r\n`)
  const received = await client.until((text) => text.endsWith('END'))
  const url = 'https://up/base/upload?uploadType=resumable&b=%2F&upload_id=1'
  assert.ok(received.includes(`X-Goog-Upload-URL: ${url}\r\n`), received)
  assert.ok(scene.upstream.received().includes(`Authorization: Bearer ${STORED}\r\n`))
  assert.equal(sampleOf(scene), 0)
  client.socket.destroy()
})
