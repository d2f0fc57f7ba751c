// The Helm chart: what Node alone can check of it, and where Helm is installed, what it renders for
// every file of values in ci/.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { COMMANDS } from '../../src/cli/commands.ts'
import { loadConfig } from '../../src/config/config.ts'
import { checkProviderCredentials } from '../../src/config/provider-credentials.ts'
import { VERSION } from '../../src/core/version.ts'
import { readCertificate } from '../fakes/certificates.ts'
import { defaultOf, unknownVariablesIn, variablesIn } from './settings-in.ts'
import { DEPLOY_FOLDER, lacking, listDeployed, readDeployed, runTool } from './tools.ts'

const CHART = 'helm/weir'
const CHART_FOLDER = path.join(DEPLOY_FOLDER, CHART)
const TEMPLATES = listDeployed(`${CHART}/templates`)
const TEXT = TEMPLATES.map((file) => readDeployed(file)).join('\n')
const VALUE_FILES = listDeployed(`${CHART}/ci`)
/** Prometheus' operator brings the kind; Kubernetes does not know it. */
const FOREIGN_KIND = 'ServiceMonitor'

type Values = Record<string, unknown>

interface IpBlock {
  readonly cidr: string
  readonly except: readonly string[]
}

interface Egress {
  readonly to: readonly { readonly ipBlock: IpBlock }[]
}

const schema = JSON.parse(readDeployed(`${CHART}/values.schema.json`)) as Values
const defaults = parse(readDeployed(`${CHART}/values.yaml`)) as Values

/** Maps are merged, everything else is replaced: as Helm does it. */
function mergeValues(below: unknown, above: unknown): unknown {
  if (!isMap(below) || !isMap(above)) return above === undefined ? below : above
  const keys = [...new Set([...Object.keys(below), ...Object.keys(above)])]
  return Object.fromEntries(keys.map((key) => [key, mergeValues(below[key], above[key])]))
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isValid = new Ajv({ strict: false, allErrors: true }).compile(schema)

function faultsOf(values: unknown): string[] {
  if (isValid(mergeValues(defaults, values))) return []
  return (isValid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

test('the defaults and all six files of values fit the schema', () => {
  assert.equal(VALUE_FILES.length, 6)
  assert.deepEqual(faultsOf({}), [])
  for (const file of VALUE_FILES) assert.deepEqual(faultsOf(parse(readDeployed(file))), [], file)
})

const WRONG: readonly (readonly [what: string, values: unknown])[] = [
  ['a cluster without a database', { mode: 'cluster' }],
  ['a value that there is not', { proxy: { replica: 3 } }],
  ['a database in the ConfigMap', { config: { settings: { url: 'postgres://a:b@db/weir' } } }],
  ['an ingress without a host', { api: { ingress: { enabled: true } } }],
  ['a credential outside its folder', { providerCredentials: [credential('../settings/url')] }],
  ['a mode that there is not', { mode: 'replicated' }],
]

function credential(name: string): object {
  return { name, existingSecret: 'keys', key: 'key' }
}

for (const [what, values] of WRONG) {
  test(`the schema refuses ${what}`, () => assert.notDeepEqual(faultsOf(values), []))
}

test('pods are behind a network policy unless it is switched off, and never reach metadata', () => {
  const { enabled, egress } = defaults['networkPolicy'] as { enabled: boolean; egress: Egress[] }
  assert.equal(enabled, true)
  const blocks = egress.flatMap(({ to }) => to.map(({ ipBlock }) => ipBlock))
  assert.deepEqual(
    blocks.map(({ cidr }) => cidr),
    ['0.0.0.0/0', '::/0'],
  )
  const isOut = (block: IpBlock | undefined, address: string, family: 'ipv4' | 'ipv6'): boolean => {
    const list = new BlockList()
    for (const range of block?.except ?? []) {
      const [net = '', bits] = range.split('/')
      list.addSubnet(net, Number(bits), family)
    }
    return list.check(address, family)
  }
  assert.ok(isOut(blocks[0], '169.254.169.254', 'ipv4'))
  assert.ok(isOut(blocks[1], 'fd00:ec2::254', 'ipv6'))
  assert.ok(!isOut(blocks[0], '10.0.0.1', 'ipv4'))
})

test('every value is described', () => {
  const silent: string[] = []
  const look = (node: unknown, place: string): void => {
    if (!isMap(node)) return
    if (typeof node['description'] !== 'string') silent.push(place)
    if (!isMap(node['properties'])) return
    for (const [key, child] of Object.entries(node['properties'])) look(child, `${place}.${key}`)
  }
  const properties = schema['properties'] as Values
  for (const [key, child] of Object.entries(properties)) look(child, key)
  assert.deepEqual(silent, [])
  assert.deepEqual(
    Object.keys(defaults).filter((key) => !Object.hasOwn(properties, key)),
    [],
  )
})

test('the templates set no variable that Weir does not know', () => {
  assert.ok(variablesIn(TEXT).length > 10)
  assert.deepEqual(unknownVariablesIn(TEXT.replaceAll('WEIR_PROXY_PORT=tcp', '')), [])
})

test('ports, paths and commands of the templates are those of the program', () => {
  const ports = Array.from(TEXT.matchAll(/name: (\w+), containerPort: (\d+)/g), (match) =>
    match.slice(1, 3).join(),
  )
  const known = ['proxy', 'api', 'status'].map((name) => `${name},${defaultOf(`${name}.port`)}`)
  assert.deepEqual(new Set(ports), new Set(known))
  const paths = Array.from(TEXT.matchAll(/(?:"path" "|path: )(\/\w+)/g), (match) => match[1])
  assert.deepEqual(new Set(paths), new Set(['/healthz', '/readyz', '/metrics']))
  const words = Array.from(TEXT.matchAll(/command: \[weir, (\w+)\]|exec weir (\w+)/g), (match) =>
    String(match[1] ?? match[2]),
  )
  const isCommand = (word: string): boolean => COMMANDS.some(({ path: [first] }) => first === word)
  assert.deepEqual(words.toSorted(), ['api', 'drain', 'migrate'])
  assert.deepEqual(
    [...words, 'proxy', 'start'].filter((word) => !isCommand(word)),
    [],
  )
})

test('the chart installs this version of Weir', () => {
  assert.equal((parse(readDeployed(`${CHART}/Chart.yaml`)) as Values)['appVersion'], VERSION)
})

interface Container {
  readonly name: string
  readonly command: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly securityContext: unknown
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean
  readonly enableServiceLinks: boolean
  readonly terminationGracePeriodSeconds?: number
  readonly securityContext: { readonly runAsUser: number; readonly runAsNonRoot: boolean }
  readonly containers: readonly [Container]
  readonly volumes?: readonly { readonly name: string }[]
}

interface Document {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: Values & {
    readonly template?: { readonly spec: PodSpec }
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
  }
}

const rendered = new Map<string, Promise<readonly Document[]>>()

/** Each file is rendered once. */
function render(file: string): Promise<readonly Document[]> {
  const documents = rendered.get(file) ?? renderFile(file)
  rendered.set(file, documents)
  return documents
}

async function renderFile(file: string): Promise<readonly Document[]> {
  const values = path.join(DEPLOY_FOLDER, file)
  const { code, out, said } = await runTool('helm', ['template', 'try', CHART_FOLDER, '-f', values])
  assert.equal(code, 0, said)
  // As Helm and Kubernetes read it: 0440 is octal.
  return parseAllDocuments(out, { version: '1.1' })
    .map((document) => {
      assert.deepEqual(document.errors, [], file)
      return document.toJS() as Document | null
    })
    .filter((document) => document !== null)
}

function podsOf(documents: readonly Document[]): readonly (readonly [Document, PodSpec])[] {
  return documents.flatMap((document) => {
    const pod = document.kind === 'Pod' ? document.spec : document.spec?.template?.spec
    return pod === undefined ? [] : [[document, pod as unknown as PodSpec] as const]
  })
}

for (const file of VALUE_FILES) {
  const name = path.basename(file, '-values.yaml')
  test(`helm lint and template accept ${name}`, { skip: lacking('helm') }, async () => {
    const values = path.join(DEPLOY_FOLDER, file)
    const lint = await runTool('helm', ['lint', '--strict', CHART_FOLDER, '-f', values])
    assert.equal(lint.code, 0, lint.said)
    const documents = await render(file)
    assert.ok(!documents.some(({ kind }) => kind === 'Secret'), 'secrets are by reference')
    for (const [document, pod] of podsOf(documents)) checkPod(document, pod)
    const proxies = documents.filter(({ kind }) => kind === 'StatefulSet')
    assert.equal(proxies.length, 1)
    for (const proxy of proxies) checkProxies(proxy)
  })

  test(`Weir itself accepts the settings of ${name}`, { skip: lacking('helm') }, async () => {
    const documents = await render(file)
    const text = documents.find(({ kind }) => kind === 'ConfigMap')?.data?.['weir.yaml'] ?? '{}'
    const servers = podsOf(documents).filter(([{ kind }]) => kind !== 'Pod')
    for (const [{ kind }, { containers }] of servers) {
      const hasCredentials = kind === 'StatefulSet'
      const [{ env = [] }] = containers
      assert.doesNotThrow(() => loadSettings(text, env, hasCredentials), kind)
    }
  })

  test(
    `what is rendered for ${name} is valid for Kubernetes`,
    { skip: lacking('helm', 'kubernetes-validate') },
    async () => {
      const documents = await render(file)
      const known = documents.filter(({ kind }) => kind !== FOREIGN_KIND)
      const text = known.map((document) => JSON.stringify(document)).join('\n---\n')
      const { code, said } = await validate(text)
      assert.equal(code, 0, said)
    },
  )
}

async function validate(text: string): Promise<{ code: number; said: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-chart-'))
  try {
    writeFileSync(path.join(folder, 'all.yaml'), text)
    return await runTool('kubernetes-validate', ['--strict', path.join(folder, 'all.yaml')])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The content of each file that a secret may bring. */
const SECRETS: Readonly<Record<string, string>> = {
  'settings/url': 'postgres://weir:secret@db.example.com/weir',
  'usage/url': 'clickhouse://weir:secret@ch.example.com/weir',
  'smtp/url': 'smtps://weir:secret@mail.example.com',
  'oidc/client-secret': 'secret',
  'https-proxy/url': 'http://weir:secret@proxy.example.com:3128',
  'otlp/headers': 'authorization=secret',
  'providers/openai': 'secret',
  'providers/openai-search': 'secret',
  'providers/anthropic': 'secret',
  'tls/tls.crt': readCertificate('server').cert,
  'tls/tls.key': readCertificate('server').key,
  'api-tls/tls.crt': readCertificate('server').cert,
  'api-tls/tls.key': readCertificate('server').key,
}

/** With the files of the pod in a folder. Proxies are given the credentials of providers. */
function loadSettings(
  text: string,
  variables: NonNullable<Container['env']>,
  hasCredentials: boolean,
): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-pod-'))
  const inFolder = (value: string): string =>
    value.replaceAll('/run/secrets/weir', folder).replaceAll('/etc/weir', folder)
  try {
    for (const [name, content] of Object.entries(SECRETS)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), content)
    }
    writeFileSync(path.join(folder, 'weir.yaml'), inFolder(text))
    const env = variables.map(({ name, value = '' }) => [name, inFolder(value)])
    const environment = Object.fromEntries(env) as Record<string, string>
    const config = loadConfig({ env: environment, cwd: tmpdir() })
    if (hasCredentials) checkProviderCredentials(config)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function checkPod({ kind, metadata, spec }: Document, pod: PodSpec): void {
  const place = `${kind} ${metadata.name}`
  assert.equal(pod.automountServiceAccountToken, false, place)
  // A service called weir-proxy would set WEIR_PROXY_PORT to tcp://….
  assert.equal(pod.enableServiceLinks, false, place)
  assert.deepEqual([pod.securityContext.runAsUser, pod.securityContext.runAsNonRoot], [10001, true])
  const [container] = pod.containers
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const volumes = [
    ...(pod.volumes ?? []).map(({ name }) => name),
    ...(spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name),
  ]
  const mounts = container.volumeMounts ?? []
  assert.deepEqual(
    mounts.map((mount) => mount.name).toSorted(),
    volumes.toSorted(),
    `${place} mounts what it has`,
  )
  const files = (container.env ?? []).filter(({ value = '' }) => value.startsWith('/run/secrets/'))
  for (const { name, value = '' } of files) {
    const isMounted = mounts.some(({ mountPath }) => value.startsWith(`${mountPath}/`))
    assert.ok(isMounted, `${place}: ${name} is in no volume`)
  }
}

function checkProxies({ spec }: Document): void {
  assert.deepEqual(spec['persistentVolumeClaimRetentionPolicy'], {
    whenScaled: 'Retain',
    whenDeleted: 'Retain',
  })
  const pod = (spec.template as { readonly spec: PodSpec }).spec
  const [container] = pod.containers as readonly [Container & Values]
  const hook = JSON.stringify(container['lifecycle'])
  const [, delay, drain] = /sleep (\d+); exec weir drain --timeout (\d+)/.exec(hook) ?? []
  const least = Number(delay) + Number(drain) + 30
  assert.ok(Number(pod.terminationGracePeriodSeconds) > least, 'a drain is not cut short')
}

test('the README of the chart lists every value', () => {
  const page = readFileSync(path.join(CHART_FOLDER, 'README.md'), 'utf8')
  const sections = Object.keys(schema['properties'] as Values).filter((key) => key !== 'global')
  assert.deepEqual(
    sections.filter((key) => !page.includes(`\`${key}`)),
    [],
  )
})
