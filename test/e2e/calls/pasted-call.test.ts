// What weir keys create prints is run as it stands by a shell, and arrives at the provider.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { PROVIDERS } from '../../../src/providers/registry.ts'
import { openProgram } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { findFreePort } from '../../fakes/servers/free-port.ts'

const run = promisify(execFile)
/** One for each way to send a key. */
const IDS = ['openai', 'anthropic', 'google', 'ollama']
/** Only what hangs takes so long. */
const KNOWN_MS_MAX = 120_000
const SECRET = 'sk-of-the-caller'
const STORED = 'sk-stored-by-the-operator'

interface Seen {
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: unknown
}

const seen: Seen[] = []
/** Simulates every provider: it answers what is not an error. */
const upstream = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(pieces).toString())
    seen.push({ path: request.url ?? '', headers: request.headers, body })
    response.setHeader('content-type', 'application/json')
    response.end('{"ok":true}')
  })
})
let program: Program | null = null

before(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const settings = IDS.flatMap((id) => [
    [`PROVIDER_${id.toUpperCase()}_URL`, `${url}/${id}`],
    [`PROVIDER_${id.toUpperCase()}_CREDENTIAL`, 'env:STORED'],
  ])
  // The printed address has the port of the settings.
  program = await openProgram({
    settings: { ...Object.fromEntries(settings), PROXY_PORT: String(await findFreePort()) },
    environment: { STORED },
  })
})

after(async () => {
  // First, and whatever became of the program: a server that listens keeps the test from ending.
  upstream.close()
  await program?.close()
})

describe('the call that weir keys create prints', () => {
  for (const id of IDS) {
    test(`arrives at ${id}, without Weir's key`, async () => {
      const words = ['--name', `try ${id}`, '--allow-provider', id, '--require-dim', 'team']
      const { code, out, err } = await (program as Program).weir('keys', 'create', ...words)
      assert.equal(code, 0, err)
      const command = out.slice(out.indexOf('  curl '))
      const sample = PROVIDERS.find((provider) => provider.id === id)?.sample
      assert.ok(sample !== undefined)
      const { credential, path, body } = sample
      const env = { ...process.env, ...(credential && { [credential.variable]: SECRET }) }
      const answered = await runUntilKnown(command, env)
      assert.equal(answered, '{"ok":true}')
      const call = seen.at(-1)
      assert.deepEqual([call?.path, call?.body], [`/${id}${path}`, body])
      assert.equal(call?.headers['x-svc-api-key'], undefined)
      assert.equal(call?.headers['x-svc-dims'], undefined)
      const [name = '', prefix = ''] = credential?.header.split(': ') ?? []
      if (credential !== null) assert.equal(call?.headers[name.toLowerCase()], prefix + SECRET)
    })
  }

  const RESTRICTED = [
    [
      'openai',
      [
        '--allow-model',
        'gpt-5.4-mini',
        '--require-dim',
        'team',
        '--require-dim',
        'env',
        '--dim',
        'env=dev',
      ],
    ],
    [
      'anthropic',
      [
        '--allow-model',
        'anthropic/claude-opus-4*',
        '--lock-dim',
        'team=a',
        '--require-dim',
        'team',
      ],
    ],
    ['google', ['--allow-model', 'google/gemini-2.5-pro']],
  ] as const
  for (const [id, words] of RESTRICTED) {
    test(`arrives at ${id} with a model and the dimensions that the key needs: ${words[1]}`, async () => {
      const given = ['--name', `some of ${id}`, ...words]
      const { out } = await (program as Program).weir('keys', 'create', ...given)
      const sample = PROVIDERS.find((provider) => provider.id === id)?.sample
      const { variable = '' } = sample?.credential ?? {}
      const command = out.slice(out.indexOf('  curl '))
      const answered = await runUntilKnown(command, { ...process.env, [variable]: SECRET })
      assert.equal(answered, '{"ok":true}', command)
      const call = seen.at(-1)
      const asked = JSON.stringify([call?.path, call?.body])
      assert.match(asked, new RegExp(words[1].replace(/.*\//, '').replace('*', '')))
    })
  }

  for (const id of IDS) {
    test(`arrives at ${id} with the stored credential, by a base URL and a key alone`, async () => {
      const words = ['--name', `two ${id}`, '--allow-provider', id, '--use-credential', id]
      const { code, out, err } = await (program as Program).weir('keys', 'create', ...words)
      assert.deepEqual([code, err], [0, ''])
      const command = out.slice(out.indexOf('  export '))
      assert.equal(await runUntilKnown(command, process.env), '{"ok":true}')
      const call = seen.at(-1)
      const sample = PROVIDERS.find((provider) => provider.id === id)?.sample
      assert.equal(call?.path, `/${id}${sample?.path}`)
      const header = sample?.credential?.header ?? 'Authorization: Bearer '
      const [name = '', prefix = ''] = header.split(': ')
      assert.equal(call?.headers[name.toLowerCase()], prefix + STORED)
      assert.doesNotMatch(JSON.stringify(call), /svc_k_/)
    })
  }
})

/** A proxy accepts a new key within a second; until then it says that it does not know it. */
async function runUntilKnown(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const deadline = performance.now() + KNOWN_MS_MAX
  while (true) {
    const { stdout } = await run('bash', ['-c', command], { env })
    if (!stdout.includes('invalid_api_key') || performance.now() > deadline) return stdout
  }
}
