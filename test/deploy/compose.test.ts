// The compose files as Docker would merge them, without a Docker: what they name exists, and every
// node starts with settings that Weir takes.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'yaml'

import { loadConfig } from '../../src/config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../../src/config/store-locations.ts'
import { VERSION } from '../../src/core/version.ts'
import { TOP_FOLDER } from '../tidy/checkout.ts'

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly read_only?: boolean
  readonly stop_grace_period?: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const folder = mkdtempSync(path.join(tmpdir(), 'weir-compose-'))
after(() => rmSync(folder, { recursive: true, force: true }))
cpSync(path.join(TOP_FOLDER, 'deploy', 'compose'), folder, {
  recursive: true,
  filter: (file) => path.basename(file) !== 'secrets',
})

function merge(beneath: unknown, above: unknown): unknown {
  const isMap = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap(beneath) || !isMap(above)) return above ?? beneath
  const names = new Set([...Object.keys(beneath), ...Object.keys(above)])
  return Object.fromEntries([...names].map((name) => [name, merge(beneath[name], above[name])]))
}

function readFiles(names: readonly string[]): Compose {
  return names
    .map((name) => parse(readFileSync(path.join(folder, name), 'utf8'), { merge: true }) as unknown)
    .reduce(merge) as Compose
}

/** What the image itself sets. */
function readImageEnvironment(): Record<string, string> {
  const text = readFileSync(path.join(TOP_FOLDER, 'Dockerfile'), 'utf8')
  return Object.fromEntries(
    Array.from(text.matchAll(/\b(WEIR_\w+)=(\S+)/g), ([, name = '', value = '']) => [name, value]),
  )
}

const made = spawnSync(path.join(folder, 'make-secrets.sh'), { encoding: 'utf8' })

test('make-secrets.sh makes files that containers can read and other users cannot, once', () => {
  assert.deepEqual([made.status, made.stderr], [0, ''])
  const secrets = path.join(folder, 'secrets')
  assert.equal(statSync(secrets).mode & 0o777, 0o700)
  const read = (): (readonly [string, number, string])[] =>
    readdirSync(secrets).map((name) => {
      const file = path.join(secrets, name)
      return [name, statSync(file).mode & 0o777, readFileSync(file, 'utf8')]
    })
  const before = read()
  assert.ok(before.every(([, mode, text]) => mode === 0o644 && text.length >= 40))
  assert.equal(spawnSync(path.join(folder, 'make-secrets.sh')).status, 0)
  assert.deepEqual(read(), before)
})

const combinations: readonly (readonly string[])[] = [
  ['compose.yaml'],
  ['compose.yaml', 'clickhouse.yaml'],
  ['compose.yaml', 'demo.yaml'],
  ['compose.yaml', 'clickhouse.yaml', 'demo.yaml'],
]

for (const names of combinations) {
  const compose = readFiles(names)
  const services = Object.entries(compose.services)
  const nodes = services.filter(([, { image }]) => image.startsWith('weir'))

  test(`${names.join(' + ')} names only what exists`, () => {
    for (const [name, service] of services) {
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        assert.ok(other in compose.services, `${name} depends on ${other}`)
        const ends = compose.services[other]?.command?.[0] === 'migrate'
        assert.equal(condition, ends ? 'service_completed_successfully' : 'service_healthy')
      }
      for (const secret of service.secrets ?? []) {
        const file = compose.secrets[secret]?.file
        assert.ok(file !== undefined && statSync(path.join(folder, file)).isFile(), secret)
      }
      const volumes = (service.volumes ?? []).map((volume) => volume.split(':')[0] as string)
      assert.deepEqual(
        volumes.filter((volume) => !(volume in compose.volumes)),
        [],
      )
      assert.match(service.image, /:\d+\.\d+(?:\.\d+)?$/, `${name} has no fixed version`)
    }
    assert.ok(nodes.every(([, { image }]) => image.endsWith(`:${VERSION}`)))
  })

  test(`${names.join(' + ')} gives every node settings that Weir takes`, () => {
    const atHome = Object.entries(readImageEnvironment())
    for (const [, { image, environment = {} }] of nodes) {
      const given = Object.entries(environment).map(([name, value]) => {
        return [name, value.replace('/run/secrets', path.join(folder, 'given'))] as const
      })
      for (const [secret, { file }] of Object.entries(compose.secrets)) {
        cpSync(path.join(folder, file), path.join(folder, 'given', secret))
      }
      const own = image.startsWith('weir:') ? atHome : []
      const config = loadConfig({ env: Object.fromEntries([...own, ...given]), cwd: folder })
      assert.match(
        toSettingsLocation(config).url ?? '',
        /^postgres:\/\/weir:\w{40}@postgres:5432\/weir$/,
      )
      const { callsUrl } = toUsageLocation(config)
      const wanted = names.includes('clickhouse.yaml') ? 'clickhouse' : undefined
      assert.equal(callsUrl?.split(':')[0], wanted)
      assert.equal(config.dataDir, '/data')
    }
  })

  test(`${names.join(' + ')} keeps each proxy's journal in a volume of its own`, () => {
    const proxies = nodes.filter(([, { command }]) => command?.[0] === 'proxy')
    const volumes = proxies.map(([, service]) => service.volumes?.join())
    assert.equal(new Set(volumes).size, 2)
    assert.ok(volumes.every((volume) => volume?.endsWith(':/data')))
    assert.ok(proxies.every(([, service]) => service.read_only === true))
    assert.ok(proxies.every(([, service]) => service.stop_grace_period === '45s'))
  })
}
