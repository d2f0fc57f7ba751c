// Stored credentials as operators set them: faults name the setting and the remedy, and never show
// a value; files are read again when they change.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { WeirError } from '../core/weir-error.ts'
import { loadConfig } from './config.ts'
import { readCredential } from './credential-source.ts'
import { checkProviderCredentials, openProviderCredentials } from './provider-credentials.ts'
import type { CredentialSettings } from './provider-credentials.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-credentials-'))
after(() => rmSync(root, { recursive: true }))

const SECRET = 'sk-do-not-show-1234'

function write(name: string, text: string): string {
  const file = join(root, name)
  writeFileSync(file, text)
  return file
}

function faultsOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof WeirError && error.code === 'invalid_config')
    return error.message
  }
  return ''
}

const KEY = 'svc_k_0123456789abcdef'

const SETTINGS: readonly (readonly [name: string, yaml: string, fault: RegExp])[] = [
  [
    'the credential itself',
    `credential: ${SECRET}`,
    /openai\.credential .*never the credential itself/,
  ],
  ['an empty reference', "credential: 'env:'", /openai\.credential .*write env:NAME or file:PATH/],
  ['a variable with a blank', "credential: 'env:A B'", /openai\.credential /],
  ['a section', `credential: { ${SECRET}: 1 }`, /openai\.credential .*write env:NAME/],
  ['the credential as a list', `credentials: ${SECRET}`, /openai\.credentials .*write a list/],
  ['the credential as a rule', `credentials: [ ${SECRET} ]`, /credentials\.0 .*is not a rule/],
  [
    'the credential in a rule',
    `credentials: [{ use: ${SECRET}, dim: a=1 }]`,
    /credentials\.0\.use .*never/,
  ],
  [
    'a rule for every call',
    "credentials: [{ use: 'env:A' }]",
    /credentials\.0 .*key or a dimension/,
  ],
  [
    'a whole key',
    `credentials: [{ use: 'env:A', key: ${KEY}.${SECRET} }]`,
    /0\.key .*without the secret/,
  ],
  [
    'a dimension without a value',
    "credentials: [{ use: 'env:A', dim: team }]",
    /0\.dim .*team=search/,
  ],
  ['two dimensions', "credentials: [{ use: 'env:A', dim: 'a=1,b=2' }]", /0\.dim .*one dimension/],
  [
    'an unknown member',
    "credentials: [{ use: 'env:A', dims: a=1 }]",
    /0\.dims .*did you mean providers\.openai\.credentials\.0\.dim/,
  ],
]

for (const [name, yaml, fault] of SETTINGS) {
  test(`refuses ${name} and does not show it`, () => {
    const file = write('weir.yaml', `providers:\n  openai:\n    ${yaml}\n`)
    const text = faultsOf(() => loadConfig({ file, env: {}, cwd: root }))
    assert.match(text, fault)
    assert.ok(!text.includes(SECRET), text)
  })
}

test('refuses a credential in the variable of its place, and in place of a provider', () => {
  const env = { WEIR_PROVIDER_OPENAI_CREDENTIAL: SECRET }
  const text = faultsOf(() => loadConfig({ env, cwd: root }))
  assert.match(text, /WEIR_PROVIDER_OPENAI_CREDENTIAL/)
  const file = write('weir.yaml', `providers: { openai: ${SECRET} }`)
  const inFile = faultsOf(() => loadConfig({ file, env: {}, cwd: root }))
  assert.match(inFile, /providers\.openai .*is not a section/)
  assert.ok(!`${text}${inFile}`.includes(SECRET))
})

test('a file starts at the working directory, and a variable wins over the file', () => {
  const rules = `[{ use: 'file:b', dim: ' team = search ' }]`
  const yaml = `providers: { openai: { credential: 'file:a', credentials: ${rules} } }`
  const file = write('weir.yaml', yaml)
  const load = (env: Record<string, string>) => loadConfig({ file, env, cwd: root }).providers
  assert.deepEqual(load({})['openai'], {
    credential: `file:${root}/a`,
    credentials: [{ use: `file:${root}/b`, dim: 'team=search' }],
  })
  const env = {
    WEIR_PROVIDER_OPENAI_CREDENTIAL: 'env:A',
    WEIR_PROVIDER_MISTRAL_CREDENTIAL: 'env:B',
  }
  assert.equal(load(env)['openai']?.credential, 'env:A')
  assert.deepEqual(load(env)['mistral'], { credential: 'env:B' })
})

const folder = join(root, 'folder')
mkdirSync(folder)

const CONTENTS: readonly (readonly [name: string, text: string, fault: RegExp | null])[] = [
  ['a credential', 'sk-1', null],
  ['a credential with a line end', 'sk-1\r\n', null],
  ['nothing', '', /is empty/],
  ['blanks', ' \n', /is empty/],
  ['two lines', `${SECRET}\nother`, /several lines/],
  ['a scheme in front', `Bearer ${SECRET}`, /without Bearer/],
  ['a letter that no header has', `${SECRET}ü`, /cannot stand in a header/],
  ['a control character', `${SECRET}\u0007x`, /cannot stand in a header/],
  ['a Weir key', `${KEY}.${SECRET}`, /a Weir key/],
  ['too much', 'x'.repeat(8193), /8193 characters; at most 8192/],
  ['far too much', 'x'.repeat(16_385), /16385 bytes; at most 16384/],
]

for (const [name, text, fault] of CONTENTS) {
  test(`a file with ${name} is ${fault === null ? 'read' : 'a fault'}`, () => {
    const read = readCredential(`file:${write('content', text)}`)
    if (fault === null) return assert.equal(read.kind === 'read' && read.value, 'sk-1')
    assert.ok(read.kind === 'fault')
    assert.match(read.text, fault)
    assert.ok(!read.text.includes(SECRET))
  })
}

test('names every variable and file that cannot be read, at once', () => {
  const providers = {
    one: { credential: 'env:WEIR_TEST_NO_SUCH_VARIABLE' },
    two: { credentials: [{ use: `file:${root}/gone`, dim: 'a=1' }], credential: `file:${folder}` },
  }
  const text = faultsOf(() => checkProviderCredentials({ providers }))
  assert.match(
    text,
    /providers\.one\.credential: names the variable WEIR_TEST_NO_SUCH_VARIABLE, which is not set/,
  )
  assert.match(text, /providers\.two\.credentials\.0\.use: names .*\/gone, which does not exist/)
  assert.match(text, /providers\.two\.credential: names .*\/folder, which is not a file/)
})

test('a variable that is set is read, and an empty one is not set', () => {
  assert.deepEqual(readCredential('env:A', { A: ' sk-1 ' }), {
    kind: 'read',
    value: 'sk-1',
    mark: null,
  })
  assert.equal(readCredential('env:A', { A: '' }).kind, 'fault')
})

function open(t: { after(close: () => void): void }, settings: CredentialSettings) {
  const warnings: object[] = []
  // Never by itself here: the tests look at the files when they have changed them.
  const counts: number[] = []
  const options = {
    warn: (fields: object) => void warnings.push(fields),
    meter: { set: (_: string, unreadable: number) => void counts.push(unreadable) },
    intervalMs: 2 ** 30,
  }
  const opened = openProviderCredentials(settings, options)
  t.after(opened.close)
  const choose = (keyId = 'svc_k_x', dims = {}): string | null =>
    opened.byId.get('some')?.choose(keyId, dims) ?? null
  return { ...opened, warnings, counts, choose }
}

test('the first rule that fits wins, then the one for all', (t) => {
  const use = (name: string): string => `file:${write(name, name)}`
  const credentials = [
    { use: use('both'), key: 'svc_k_a', dim: 'team=search' },
    { use: use('team'), dim: 'team=search' },
    { use: use('key'), key: 'svc_k_a' },
    { use: use('object'), dim: 'constructor=x' },
  ]
  const some = { credentials, credential: use('all') }
  const { choose } = open(t, { providers: { some } })
  const search = { team: 'search' }
  assert.deepEqual(
    [choose('svc_k_a', search), choose('svc_k_b', search), choose('svc_k_a'), choose('svc_k_b')],
    ['both', 'team', 'key', 'all'],
  )
  assert.equal(choose('svc_k_b', { team: 'other', app: 'search' }), 'all')
  const { choose: chooseByRule } = open(t, { providers: { some: { credentials } } })
  assert.equal(chooseByRule('svc_k_b'), null)
})

test('a file that changed is read again, also behind a link that was swapped', async (t) => {
  const folders = ['one', 'two'].map((name) => join(root, name))
  for (const [index, each] of folders.entries()) {
    mkdirSync(each)
    writeFileSync(join(each, 'key'), `sk-${index}`)
  }
  const link = join(root, 'data')
  symlinkSync(folders[0] as string, link)
  const file = join(link, 'key')
  const { choose, refresh, warnings } = open(t, {
    providers: { some: { credential: `file:${file}` } },
  })
  assert.equal(choose(), 'sk-0')
  const next = join(root, 'next')
  symlinkSync(folders[1] as string, next)
  renameSync(next, link)
  await refresh()
  assert.equal(choose(), 'sk-1')
  writeFileSync(file, 'sk-longer\n')
  await refresh()
  assert.equal(choose(), 'sk-longer')
  assert.deepEqual(warnings, [])
})

test('a worker starts without a credential that it cannot read, and takes it once it can', async (t) => {
  const file = join(root, 'late')
  const { choose, refresh, warnings, counts } = open(t, {
    providers: { some: { credential: `file:${file}` }, other: { credential: 'env:WEIR_NOT_SET' } },
  })
  assert.equal(choose(), null)
  assert.equal(warnings.length, 2)
  assert.match(JSON.stringify(warnings), /does not exist.*WEIR_NOT_SET, which is not set/)
  await refresh()
  writeFileSync(file, SECRET)
  await refresh()
  assert.equal(choose(), SECRET)
  assert.deepEqual([warnings.length, counts], [2, [1, 0]])
})

test('a file that became unusable leaves the last good value, and is warned of once', async (t) => {
  const file = write('rotated', SECRET)
  const { choose, refresh, warnings, counts } = open(t, {
    providers: { some: { credential: `file:${file}` } },
  })
  writeFileSync(file, '')
  await refresh()
  rmSync(file)
  await refresh()
  assert.equal(choose(), SECRET)
  assert.equal(warnings.length, 1)
  assert.match(JSON.stringify(warnings), /is empty/)
  writeFileSync(file, 'sk-next')
  await refresh()
  assert.equal(choose(), 'sk-next')
  rmSync(file)
  await refresh()
  assert.equal(choose(), 'sk-next')
  assert.match(JSON.stringify(warnings[1]), /does not exist/)
  assert.ok(!JSON.stringify(warnings).includes(SECRET))
  assert.deepEqual(counts, [1, 1, 0, 1])
})

test('a file that was moved away and back is as good as before', async (t) => {
  const file = write('moved', SECRET)
  const { choose, refresh, counts } = open(t, {
    providers: { some: { credential: `file:${file}` } },
  })
  renameSync(file, `${file}.away`)
  await refresh()
  renameSync(`${file}.away`, file)
  await refresh()
  assert.equal(choose(), SECRET)
  assert.deepEqual(counts, [1, 0])
})
