// What the hostile callers of the soak send: the bytes of each kind, and what becomes of the
// connection afterwards.

import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

export interface HostileKeys {
  /** May use one model only, so its bodies are read before they are forwarded. */
  readonly restricted: string
  /** One call a minute. */
  readonly slow: string
  readonly open: string
}

export interface HostileCall {
  readonly kind: string
  readonly port: 'proxy' | 'api'
  readonly bytes: Buffer
  /** Sent one byte at a time afterwards, for as long as the connection lives. */
  readonly drips: boolean
  readonly reads: boolean
}

/** Of the provider whose answers are hostile: the honest one gets honest calls alone. */
const PATH = '/v1/gateway/v1/chat/completions'
const BOMB_BYTES = 64 * 1_048_576
const PIPELINED = 50

/** Each is sent by turns. */
export function createHostileCalls(keys: HostileKeys): readonly HostileCall[] {
  const bomb = Buffer.alloc(BOMB_BYTES, 0x20)
  const zstd = zstdCompressSync(bomb, { params: { [constants.ZSTD_c_windowLog]: 27 } })
  const brotli = brotliCompressSync(bomb, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_QUALITY]: 5 },
  })
  const gzip = gzipSync(bomb)
  const call = { port: 'proxy', drips: false, reads: true } as const
  const stalled = (kind: string, encoding: string, body: Buffer): HostileCall => ({
    ...call,
    kind,
    drips: true,
    bytes: post(keys.restricted, { encoding, body, length: body.length * 2 }),
  })
  const small = Buffer.from('{"model":"gpt-4.1-mini","messages":[]}')
  const dims = Array.from({ length: 16 }, (_, index) => `d${index}=${'x'.repeat(200)}`).join(',')
  const refused = post(keys.slow, { body: small, extra: `X-SVC-Dims: ${dims}\r\n` })
  return [
    { ...call, kind: 'zstd bomb', bytes: post(keys.restricted, { encoding: 'zstd', body: zstd }) },
    { ...call, kind: 'gzip bomb', bytes: post(keys.restricted, { encoding: 'gzip', body: gzip }) },
    {
      ...call,
      kind: 'brotli bomb',
      bytes: post(keys.restricted, { encoding: 'br', body: brotli }),
    },
    stalled('stalled zstd body', 'zstd', zstd),
    stalled('stalled brotli body', 'br', brotli),
    {
      ...call,
      kind: 'slow body',
      drips: true,
      bytes: post(keys.open, { body: small, length: 9999 }),
    },
    {
      ...call,
      kind: 'half-open head',
      drips: true,
      bytes: Buffer.from(`POST ${PATH} HTTP/1.1\r\nX: `),
    },
    { ...call, kind: 'half-open head of the API', port: 'api', bytes: Buffer.from('GET /v1/us') },
    { ...call, kind: 'silent connection', bytes: Buffer.alloc(0) },
    { ...call, kind: 'flood of refused calls', bytes: repeat(refused, PIPELINED) },
    { ...call, kind: 'flood that reads nothing', reads: false, bytes: repeat(refused, PIPELINED) },
    {
      ...call,
      kind: 'flood without a key',
      reads: false,
      bytes: repeat(Buffer.from('GET /healthz HTTP/1.1\r\nHost: p\r\n\r\n'), PIPELINED * 10),
    },
    {
      ...call,
      kind: 'garbage',
      bytes: Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'),
    },
    {
      ...call,
      kind: 'bomb of an answer',
      bytes: post(keys.open, { body: small }),
    },
    {
      ...call,
      kind: 'answer that is not read',
      reads: false,
      bytes: post(keys.open, { body: small }),
    },
    { ...call, kind: 'guessed password', port: 'api', bytes: guess() },
  ]
}

/** Empty gzip members, compressed once more: little to send, much to decode. */
export function createHostileAnswer(): Buffer {
  return gzipSync(repeat(gzipSync(''), 100_000))
}

interface PostOptions {
  readonly body: Buffer
  readonly encoding?: string
  /** More than the body has: the rest never comes. */
  readonly length?: number
  readonly extra?: string
}

function post(key: string, { body, encoding, length, extra = '' }: PostOptions) {
  const encoded = encoding === undefined ? '' : `Content-Encoding: ${encoding}\r\n`
  const head =
    `POST ${PATH} HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n` +
    `X-SVC-Api-Key: ${key}\r\nContent-Length: ${length ?? body.length}\r\n${encoded}${extra}\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

function guess(): Buffer {
  const body = JSON.stringify({ email: 'root@example.com', password: 'correct horse battery' })
  const head = `POST /v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
}

function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes))
}
