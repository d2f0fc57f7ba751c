// Files for TLS as operators get them wrong: each fault names the setting, the file and the remedy.

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { certificatePath, readAuthority, readCertificate } from '../../test/fakes/certificates.ts'
import { WeirError } from '../core/weir-error.ts'
import { loadConfig } from './config.ts'
import { readTlsFiles } from './tls-files.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-tls-'))
after(() => rmSync(root, { recursive: true }))

function write(name: string, text: string): string {
  const file = join(root, name)
  writeFileSync(file, text)
  return file
}

const CERT = certificatePath('server.pem')
const KEY = certificatePath('server.key')
const BROKEN = write('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
const TEXT = write('text.pem', 'no PEM at all')
const LARGE = write('large.pem', ' '.repeat(1_048_577))
const FOLDER = join(root, 'folder')
mkdirSync(FOLDER)
const ENCRYPTED = write(
  'encrypted.key',
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
  }).privateKey,
)

/** The lines of the error, without its heading. */
function faultsOf(env: Readonly<Record<string, string>>): string[] {
  try {
    loadConfig({ env, cwd: root })
    return []
  } catch (error) {
    assert.ok(error instanceof WeirError && error.code === 'invalid_config')
    const [, ...lines] = error.message.split('\n')
    return lines.map((line) => line.trim())
  }
}

const PAIRS: readonly (readonly [name: string, cert: string, key: string, fault: string])[] = [
  ['a missing certificate', 'gone.pem', KEY, `tls.cert (${root}/gone.pem): does not exist; write`],
  ['a missing key', CERT, 'gone.key', `tls.key (${root}/gone.key): does not exist; write`],
  ['a folder', FOLDER, KEY, `tls.cert (${FOLDER}): cannot be read (EISDIR)`],
  ['a file that is no PEM', TEXT, KEY, `tls.cert (${TEXT}): contains no certificate; write`],
  ['a broken certificate', BROKEN, KEY, `tls.cert (${BROKEN}): contains no certificate; write`],
  ['a key for a certificate', KEY, KEY, `tls.cert (${KEY}): contains no certificate; write`],
  ['a certificate for a key', CERT, CERT, `tls.key (${CERT}): contains no readable private key;`],
  [
    'an encrypted key',
    CERT,
    ENCRYPTED,
    `tls.key (${ENCRYPTED}): contains no readable private key;`,
  ],
  ['a file that is too large', LARGE, KEY, `tls.cert (${LARGE}): has 1048577 bytes; at most`],
  [
    'the key of another certificate',
    CERT,
    certificatePath('foreign.key'),
    `tls.key (${certificatePath('foreign.key')}): is not the key of the first certificate in tls.cert`,
  ],
]

for (const [name, cert, key, fault] of PAIRS) {
  test(`refuses ${name}`, () => {
    const faults = faultsOf({ WEIR_TLS_CERT: cert, WEIR_TLS_KEY: key })
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.equal(faults[0]?.slice(0, fault.length), fault)
  })
}

test('refuses a certificate without its key, and a key without its certificate', () => {
  assert.deepEqual(faultsOf({ WEIR_TLS_CERT: CERT }), [
    'tls.cert (WEIR_TLS_CERT): is set without tls.key; write both, or neither',
  ])
  writeFileSync(join(root, 'weir.yaml'), `tls:\n  key: ${KEY}\n`)
  assert.deepEqual(faultsOf({}), [
    'tls.key (weir.yaml:2): is set without tls.cert; write both, or neither',
  ])
  assert.deepEqual(faultsOf({ WEIR_TLS_CERT: CERT }), [])
  rmSync(join(root, 'weir.yaml'))
})

test("refuses the same faults of the API's files under their own names", () => {
  assert.deepEqual(faultsOf({ WEIR_API_TLS_KEY: KEY }), [
    'api.tls.key (WEIR_API_TLS_KEY): is set without api.tls.cert; write both, or neither',
  ])
  const [fault] = faultsOf({
    WEIR_API_TLS_CERT: CERT,
    WEIR_API_TLS_KEY: certificatePath('foreign.key'),
  })
  assert.match(fault ?? '', /^api\.tls\.key .* is not the key of .* in api\.tls\.cert/)
})

test('reports the faults of all files at once', () => {
  const faults = faultsOf({
    WEIR_TLS_CERT: 'gone.pem',
    WEIR_TLS_KEY: TEXT,
    WEIR_API_TLS_CERT: 'gone.pem',
    WEIR_API_TLS_KEY: KEY,
    WEIR_PROVIDER_OPENAI_CA: BROKEN,
  })
  assert.deepEqual(
    faults.map((fault) => fault.split(' ', 1)[0]),
    ['tls.cert', 'tls.key', 'api.tls.cert', 'providers.openai.ca'],
  )
})

test('reads certificate and key from the working directory, and further authorities', () => {
  const { cert, key } = readCertificate('server')
  write('own.pem', cert + readAuthority())
  write('own.key', key)
  write('two.pem', readAuthority() + readAuthority('other-authority'))
  const config = loadConfig({
    env: {
      WEIR_TLS_CERT: 'own.pem',
      WEIR_TLS_KEY: './own.key',
      WEIR_API_TLS_CERT: 'own.pem',
      WEIR_API_TLS_KEY: 'own.key',
      WEIR_PROVIDER_OPENAI_CA: 'two.pem',
    },
    cwd: root,
  })
  assert.deepEqual(config.tls, { cert: join(root, 'own.pem'), key: join(root, 'own.key') })
  const files = readTlsFiles(config)
  assert.deepEqual(config.api.tls, config.tls)
  assert.deepEqual(files.proxy, { cert: cert + readAuthority(), key })
  assert.deepEqual(files.api, files.proxy)
  assert.deepEqual([...files.authorities.keys()], ['openai'])
  assert.deepEqual(
    [...files.certificates].map(([setting, certificates]) => [setting, certificates.length]),
    [
      ['tls.cert', 2],
      ['api.tls.cert', 2],
      ['providers.openai.ca', 2],
    ],
  )
})

test('has no files where none are named', () => {
  const { proxy, api, authorities } = readTlsFiles(loadConfig({ env: {}, cwd: root }))
  assert.equal(proxy, null)
  assert.equal(api, null)
  assert.equal(authorities.size, 0)
})
