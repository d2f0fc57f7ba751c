import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Program } from '../../fakes/program.ts'
import { openScene } from '../scene.ts'
import type { Scene } from '../scene.ts'

/** In everything that is a caller's own; no log may contain it. */
const MARK = 'xq7-mark'

/** A provider that says the mark wherever a provider can say something. */
async function openMarkedProvider(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url.includes('cut')) return void response.socket?.destroy()
  const headers = { 'x-request-id': `${MARK}-answered`, 'set-cookie': `session=${MARK}` }
  const isError = url.includes('error')
  response.writeHead(isError ? 500 : 200, `${MARK}`, {
    ...headers,
    'content-type': url.includes('stream') ? 'text/event-stream' : 'application/json',
  })
  const text = JSON.stringify({ model: MARK, error: isError ? { message: MARK } : null })
  response.end(url.includes('stream') ? `data: ${text}\n\ndata: {${MARK}\n\n` : text)
}

interface Output {
  readonly text: () => string
  readonly until: (isThere: (text: string) => boolean) => Promise<void>
  /** Resolves when the program has ended and all of it has been read. */
  readonly ended: Promise<unknown>
}

/** What the program writes from now on, to either stream. */
function collectOutput({ process }: Program): Output {
  let text = ''
  let check = (): void => {}
  for (const stream of [process.stdout, process.stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      text += bytes.toString()
      check()
    })
  }
  return {
    text: () => text,
    ended: once(process, 'close'),
    until: (isThere) =>
      new Promise((resolve) => {
        check = () => isThere(text) && resolve()
        check()
      }),
  }
}

/**
 * A call with the mark in its path, query, headers, dimensions and body; returns its request id.
 */
async function call(scene: Scene, what: string, key = scene.key.key): Promise<string | null> {
  const path = `/v1/gateway/v1/chat/completions/${what}/${MARK}?key=${MARK}&${MARK}=1`
  const response = await fetch(scene.program.addresses.proxy + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${MARK}`,
      cookie: `session=${MARK}`,
      'x-own': MARK,
      'x-svc-api-key': key,
      'x-svc-dims': `team=${MARK}`,
    },
    body: JSON.stringify({ model: MARK, messages: [{ role: 'user', content: MARK }] }),
  })
  await response.text()
  return response.headers.get('x-svc-request-id')
}

async function openMarkedScene(
  t: TestContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<Scene> {
  const url = await openMarkedProvider(t)
  return openScene(t, { PROVIDER_GATEWAY_URL: url, ...settings })
}

test('at debug level every call is one JSON line of ids and figures, and nothing of its content', async (t) => {
  const scene = await openMarkedScene(t, { LOG_LEVEL: 'debug' })
  const output = collectOutput(scene.program)
  const calls = [
    { what: 'plain', status: 'delivered', httpStatus: 200 },
    { what: 'stream', status: 'delivered', httpStatus: 200 },
    { what: 'error', status: 'refused', httpStatus: 500 },
    { what: 'cut', status: 'cut', httpStatus: null },
  ]
  const ids: (string | null)[] = []
  for (const { what } of calls) ids.push(await call(scene, what))
  // Refused before they are calls: no line of theirs, and nothing of theirs in any other.
  await call(scene, 'plain', MARK)
  await fetch(`${scene.program.addresses.proxy}/v1/${MARK}/`, {
    headers: { 'x-svc-api-key': scene.key.key },
  })
  const isCall = (line: string): boolean => line.includes('call ended')
  await output.until((text) => text.split('\n').filter(isCall).length === calls.length)
  await scene.program.stop()
  await output.ended

  const text = output.text()
  assert.ok(text.endsWith('\n'))
  const lines = text.slice(0, -1).split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const ended = parsed.filter(({ msg }) => msg === 'call ended')
  for (const [at, { status, httpStatus }] of calls.entries()) {
    const line = ended.find(({ id }) => id === ids[at])
    assert.deepEqual(
      [
        line?.['keyId'],
        line?.['provider'],
        line?.['status'],
        line?.['httpStatus'],
        line?.['level'],
      ],
      [scene.key.id, 'gateway', status, httpStatus, 20],
    )
    const durationMs = line?.['durationMs'] as number
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0, `durationMs is ${durationMs}`)
    // A field that is an object could contain anything.
    for (const value of Object.values(line ?? {})) assert.ok(value === null || !isObject(value))
  }
  assert.equal(ended.length, calls.length)
  assert.equal(text.includes(MARK), false)
  assert.equal(text.includes(scene.key.key), false)
})

function isObject(value: unknown): boolean {
  return typeof value === 'object'
}

test('by default nothing is written for calls, whatever becomes of them', async (t) => {
  const scene = await openMarkedScene(t)
  const output = collectOutput(scene.program)
  for (const what of ['plain', 'stream', 'error', 'cut']) await call(scene, what)
  await call(scene, 'plain', MARK)
  assert.equal(await scene.program.stop(), 0)
  await output.ended
  assert.equal(output.text(), '')
})
