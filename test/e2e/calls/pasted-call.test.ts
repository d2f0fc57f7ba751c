// What weir keys create prints is run as it stands by a shell, and arrives at the provider.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { PROVIDERS } from '../../../src/providers/registry.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { createCommandLineAt } from '../../fakes/command-line.ts'
import type { CommandLine } from '../../fakes/command-line.ts'
import { openProgram } from '../../fakes/program.ts'
import type { Program } from '../../fakes/program.ts'
import { findFreePort } from '../../fakes/servers/free-port.ts'

const run = promisify(execFile)
/** One for each way to send a key. */
const IDS = ['openai', 'anthropic', 'google', 'ollama']
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
/** What `weir keys create` printed, by the words that it was given. */
const printed = new Map<string, string>()

before(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const settings = IDS.flatMap((id) => [
    [`PROVIDER_${id.toUpperCase()}_URL`, `${url}/${id}`],
    [`PROVIDER_${id.toUpperCase()}_CREDENTIAL`, 'env:STORED'],
  ])
  // The printed address has the port of the settings.
  const port = await findFreePort()
  program = await openProgram({
    settings: { ...Object.fromEntries(settings), PROXY_PORT: String(port), PROXY_WORKERS: '1' },
    environment: { STORED },
    // A key that is there at the start is known at once.
    prepare: async (dataDir) => {
      const providers = IDS.map((id) => [id, { url: `${url}/${id}`, credential: 'env:STORED' }])
      const known = { proxy: { port }, providers: Object.fromEntries(providers) }
      await createKeys(
        createCommandLineAt(dataDir, { nowMs: systemClock.now() }, { settings: toYaml(known) }),
      )
    },
  })
})

after(async () => {
  // First, and whatever became of the program: a server that listens keeps the test from ending.
  upstream.close()
  await program?.close()
})

const PLAIN = IDS.map((id) => [id, ['--allow-provider', id, '--require-dim', 'team']] as const)
const STORED_ONES = IDS.map((id) => [id, ['--allow-provider', id, '--use-credential', id]] as const)
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
    ['--allow-model', 'anthropic/claude-opus-4*', '--lock-dim', 'team=a', '--require-dim', 'team'],
  ],
  ['google', ['--allow-model', 'google/gemini-2.5-pro']],
] as const

async function createKeys({ weir }: CommandLine): Promise<void> {
  for (const [, words] of [...PLAIN, ...STORED_ONES, ...RESTRICTED]) {
    const name = `key ${printed.size}`
    const { code, out, err } = await weir('keys', 'create', '--name', name, ...words)
    assert.deepEqual([code, err], [0, ''])
    printed.set(words.join(' '), out)
  }
}

/** JSON is YAML; a member a line, as the lines of a file are. */
function toYaml(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')
}

/** By a shell, as it stands, from these words on. */
async function paste(
  words: readonly string[],
  first: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const out = printed.get(words.join(' ')) ?? assert.fail()
  const command = out.slice(out.indexOf(first))
  const { stdout } = await run('bash', ['-c', command], { env: { ...process.env, ...env } })
  assert.equal(stdout, '{"ok":true}', command)
}

describe('the call that weir keys create prints', () => {
  for (const [id, words] of PLAIN) {
    test(`arrives at ${id}, without Weir's key`, async () => {
      const sample = PROVIDERS.find((provider) => provider.id === id)?.sample
      assert.ok(sample !== undefined)
      const { credential, path, body } = sample
      await paste(words, '  curl ', credential === null ? {} : { [credential.variable]: SECRET })
      const call = seen.at(-1)
      assert.deepEqual([call?.path, call?.body], [`/${id}${path}`, body])
      assert.equal(call?.headers['x-svc-api-key'], undefined)
      assert.equal(call?.headers['x-svc-dims'], undefined)
      const [name = '', prefix = ''] = credential?.header.split(': ') ?? []
      if (credential !== null) assert.equal(call?.headers[name.toLowerCase()], prefix + SECRET)
    })
  }

  for (const [id, words] of RESTRICTED) {
    test(`arrives at ${id} with a model and the dimensions that the key needs: ${words[1]}`, async () => {
      const sample = PROVIDERS.find((provider) => provider.id === id)?.sample
      const { variable = '' } = sample?.credential ?? {}
      await paste(words, '  curl ', { [variable]: SECRET })
      const call = seen.at(-1)
      const asked = JSON.stringify([call?.path, call?.body])
      assert.match(asked, new RegExp(words[1].replace(/.*\//, '').replace('*', '')))
    })
  }

  for (const [id, words] of STORED_ONES) {
    test(`arrives at ${id} with the stored credential, by a base URL and a key alone`, async () => {
      await paste(words, '  export ')
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
