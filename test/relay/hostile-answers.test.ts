// Answers that are made to keep the tap busy: the caller gets every byte, reading ends at a limit,
// and the record and a counter say so. What honest servers send in the same ways is read.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'

import { createProvider } from '../../src/providers/registry.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { openRawClient } from '../fakes/callers/raw-client.ts'
import { openRelayScene } from '../fakes/relay-scene.ts'

interface Answer {
  readonly coding: string
  /** With its framing, as `lines` announce it. */
  readonly body: Buffer
  readonly lines?: string
}

interface Outcome {
  readonly bytes: number
  readonly usage: string | undefined
  readonly status: string | undefined
  readonly input: number | undefined
  readonly overflows: number
}

const PROVIDERS = [
  createProvider({ id: 'some', shape: 'openai', upstream: 'http://unused' }) as Provider,
]
const BODY = '{"model":"a"}'
const USAGE = '"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}'
const COMPLETION = `{"object":"chat.completion","model":"a",${USAGE}}`

/** One call that is answered so, and what became of it. */
async function call(t: TestContext, answer: Answer): Promise<Outcome> {
  const { coding, body, lines = `Content-Length: ${body.length}\r\n` } = answer
  const type = 'Content-Type: application/json\r\n'
  const head = `HTTP/1.1 200 OK\r\n${type}Content-Encoding: ${coding}\r\n${lines}\r\n`
  const { proxy, headers } = await openRelayScene(
    t,
    ({ socket, received }) => {
      if (received.endsWith(BODY)) socket.write(Buffer.concat([Buffer.from(head), body]))
    },
    { providers: PROVIDERS },
  )
  const client = await openRawClient(proxy.port)
  const length = `Content-Length: ${BODY.length}\r\nConnection: close\r\n`
  client.send(`POST /v1/some/v1/chat/completions HTTP/1.1\r\n${headers}${length}\r\n${BODY}`)
  const received = await client.closed()
  const [event] = await proxy.events(1)
  const overflows = proxy.meter.samples().find(({ metric }) => metric === 'tapOverflows')
  return {
    bytes: received.length - received.indexOf('\r\n\r\n') - 4,
    usage: event?.usage,
    status: event?.status,
    input: event?.tokens?.input,
    overflows: overflows?.value ?? 0,
  }
}

function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes))
}

/** Twenty bytes that say nothing. */
const EMPTY = gzipSync('')
/** Sixteen megabytes of them. */
const EMPTIES = gzipSync(repeat(EMPTY, 800_000))

describe('reading ends at a limit, the delivery at its end, for', () => {
  const answers: Readonly<Record<string, Answer>> = {
    'gzip of empty members': { coding: 'gzip', body: repeat(EMPTY, 240_000) },
    'gzip of empty members in gzip': { coding: 'gzip, gzip', body: repeat(EMPTIES, 100) },
    'the same, twice more': {
      coding: 'gzip, gzip, gzip, gzip',
      body: gzipSync(gzipSync(repeat(EMPTIES, 1000))),
    },
    'gzip of empty members in zstd': {
      coding: 'gzip, zstd',
      body: repeat(zstdCompressSync(repeat(EMPTY, 800_000)), 100),
    },
    'empty frames of zstd in zstd': {
      coding: 'zstd, zstd',
      body: repeat(zstdCompressSync(repeat(zstdCompressSync(''), 2_000_000)), 20),
    },
  }
  for (const [name, answer] of Object.entries(answers)) {
    test(name, async (t) => {
      assert.deepEqual(await call(t, answer), {
        bytes: answer.body.length,
        usage: 'none',
        status: 'delivered',
        input: undefined,
        overflows: 1,
      })
    })
  }
})

/** Each byte in a chunk of its own. */
function inChunks(bytes: Buffer): Buffer {
  const chunks = Array.from(bytes, (byte) => [0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a])
  return Buffer.concat([Buffer.from(chunks.flat()), Buffer.from('0\r\n\r\n')])
}

describe('an honest answer is read to its end, for', () => {
  const chunked = 'Transfer-Encoding: chunked\r\n'
  const filler = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 2_654_435_761))
  const long = `{"id":"${filler.map((each) => each.toString(36)).join('')}",${COMPLETION.slice(1)}`
  const window = { [constants.ZSTD_c_windowLog]: 23 }
  const answers: Readonly<Record<string, Answer>> = {
    'gzip in chunks of one byte': {
      coding: 'gzip',
      body: inChunks(gzipSync(long)),
      lines: chunked,
    },
    'gzip of a member for every 64 bytes': {
      coding: 'gzip',
      body: Buffer.concat((long.match(/.{1,64}/gs) ?? []).map((piece) => gzipSync(piece))),
    },
    'zstd with the largest window that it may have': {
      coding: 'zstd',
      body: zstdCompressSync(long, { params: window }),
    },
  }
  for (const [name, answer] of Object.entries(answers)) {
    test(name, async (t) => {
      assert.deepEqual(await call(t, answer), {
        bytes: answer.body.length,
        usage: 'reported',
        status: 'delivered',
        input: 7,
        overflows: 0,
      })
    })
  }
})
