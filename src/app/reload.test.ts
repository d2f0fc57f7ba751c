import assert from 'node:assert/strict'
import { test } from 'node:test'

import { WeirError } from '../core/weir-error.ts'
import { certificatePath } from '../../test/fakes/certificates.ts'
import { createTestConfig } from '../../test/fakes/role-process.ts'
import type { Config } from '../config/config.ts'
import { createMeter } from './meter.ts'
import { createReloader, findFixedChanges } from './reload.ts'
import type { ReloadOutcome } from './supervisor.ts'

const CHANGES: [name: string, env: Record<string, string>, fixed: string[]][] = [
  ['nothing', {}, []],
  ['the number of workers', { WEIR_PROXY_WORKERS: '7' }, []],
  ['the data directory', { WEIR_DATA_DIR: '/elsewhere' }, ['dataDir']],
  ["the proxy's port", { WEIR_PROXY_PORT: '1' }, ['proxy.port']],
  [
    'every address',
    { WEIR_PROXY_HOST: '::', WEIR_PROXY_PORT: '1', WEIR_API_HOST: '::', WEIR_API_PORT: '2' },
    ['proxy.host', 'proxy.port', 'api.host', 'api.port'],
  ],
  [
    'the databases',
    { WEIR_SETTINGS_URL: 'postgres://a@db/a', WEIR_USAGE_URL: 'postgres://a@db/b' },
    ['settings.url', 'usage.url'],
  ],
]

const PAIR = { cert: certificatePath('server.pem'), key: certificatePath('server.key') }
CHANGES.push(
  ["TLS on the proxy's port", { WEIR_TLS_CERT: PAIR.cert, WEIR_TLS_KEY: PAIR.key }, ['tls']],
  [
    "TLS on the API's port",
    { WEIR_API_TLS_CERT: PAIR.cert, WEIR_API_TLS_KEY: PAIR.key },
    ['api.tls'],
  ],
)

for (const [name, env, fixed] of CHANGES) {
  test(`settings that need a restart when the file changes ${name}: ${fixed.length}`, () => {
    assert.deepEqual(findFixedChanges(createTestConfig(), createTestConfig(env)), fixed)
  })
}

function createScene(outcome: ReloadOutcome = { kind: 'done', workers: 2 }) {
  const said: string[] = []
  const meter = createMeter()
  const reloads: { config: Config; end: () => void }[] = []
  const state = { load: (): Config => createTestConfig() }
  const reload = createReloader({
    load: () => state.load(),
    config: createTestConfig(),
    supervisor: {
      reload: (config) =>
        new Promise((resolve) => reloads.push({ config, end: () => resolve(outcome) })),
    },
    meter,
    say: (line) => said.push(line),
  })
  const counted = (): string[] =>
    meter.samples().map(({ metric, labels, value }) => `${metric} ${labels.join()} ${value}`)
  return { reload, said, counted, reloads, state }
}

test('says how many workers were replaced', async () => {
  const scene = createScene({ kind: 'done', workers: 1 })
  const done = scene.reload()
  scene.reloads[0]?.end()
  await done
  assert.deepEqual(scene.said, ['configuration reloaded; 1 worker replaced'])
  assert.deepEqual(scene.counted(), ['reloads done 1'])
})

test('a configuration with a fault changes nothing, and the fault is said with its remedy', async () => {
  const scene = createScene()
  scene.state.load = () => {
    throw new WeirError('invalid_config', 'The configuration has 1 error:\n  a', { hint: 'See b.' })
  }
  await scene.reload()
  assert.deepEqual(scene.said, [
    'the configuration was not reloaded, nothing has changed: The configuration has 1 error:\n  a\nSee b.',
  ])
  assert.deepEqual([scene.reloads.length, scene.counted()], [0, ['reloads refused 1']])
})

test('a change that needs a restart is refused with the name of the setting', async () => {
  const scene = createScene()
  scene.state.load = () => createTestConfig({ WEIR_API_PORT: '9' })
  await scene.reload()
  assert.match(scene.said[0] ?? '', /nothing has changed: api\.port: .* needs a restart/)
  assert.equal(scene.reloads.length, 0)
})

test('signals during a reload make one more, which reads the file when its turn comes', async () => {
  const scene = createScene()
  const done = scene.reload()
  for (let count = 0; count < 3; count++) void scene.reload()
  assert.equal(scene.reloads.length, 1)
  const last = createTestConfig({ WEIR_LOG_LEVEL: 'error' })
  scene.state.load = () => last
  scene.reloads[0]?.end()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(scene.reloads.length, 2)
  assert.equal(scene.reloads[1]?.config, last)
  scene.reloads[1]?.end()
  await done
  assert.deepEqual(scene.counted(), ['reloads done 2'])
})

test('says how far a reload came that could not go on', async () => {
  const scene = createScene({ kind: 'failed', reason: 'the disk is full', workers: 1 })
  const done = scene.reload()
  scene.reloads[0]?.end()
  await done
  assert.match(scene.said[0] ?? '', /the disk is full; 1 worker replaced/)
  assert.deepEqual(scene.counted(), ['reloads failed 1'])
})

test('says nothing when the program ends meanwhile', async () => {
  const scene = createScene({ kind: 'ended' })
  const done = scene.reload()
  scene.reloads[0]?.end()
  await done
  assert.deepEqual([scene.said, scene.counted()], [[], []])
})
