// What doctor says of certificates, with the clock set to days around their end, and of stored
// credentials.

import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { certificatePath, readCertificate } from '../../test/fakes/certificates.ts'
import { openDataDir } from '../backup/data-dir.ts'
import { examine } from './doctor.ts'
import type { Finding } from './doctor.ts'

const DAY_MS = 86_400_000
const END = new X509Certificate(readCertificate('server').cert).validToDate.getTime()

async function examineAt(t: TestContext, yaml: string, nowMs: number): Promise<Finding[]> {
  const dir = mkdtempSync(join(tmpdir(), 'weir-doctor-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'weir.yaml')
  writeFileSync(file, `dataDir: ${join(dir, 'data')}\n${yaml}`)
  const clock = { now: () => nowMs, monotonic: () => nowMs }
  return examine({ configFile: file, clock, openDataDir })
}

function only(check: Finding['check'], findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.check === check)
}

const TLS = `tls: { cert: ${certificatePath('server.pem')}, key: ${certificatePath('server.key')} }`

const DAYS: readonly (readonly [days: number, isGood: boolean, text: RegExp])[] = [
  [31, true, /^1 valid for at least 30 days$/],
  [30, true, /^1 valid/],
  [29, false, /^one in tls\.cert expires on \d{4}-\d\d-\d\d$/],
  [0, false, /^one in tls\.cert expires/],
  [-1, false, /^one in tls\.cert expired/],
]

for (const [days, isGood, text] of DAYS) {
  test(`a certificate with ${days} days left is ${isGood ? 'good' : 'a fault'}`, async (t) => {
    const [finding, ...others] = only('certificates', await examineAt(t, TLS, END - days * DAY_MS))
    assert.equal(finding?.level, isGood ? 'ok' : 'fault')
    assert.match(finding?.text ?? '', text)
    assert.equal(finding?.remedy === null, isGood)
    assert.deepEqual(others, [])
  })
}

test("names the authority of a provider that has run out, beside the port's certificate", async (t) => {
  const yaml = `${TLS}\nproviders: { openai: { ca: ${certificatePath('expired.pem')} } }`
  const findings = only('certificates', await examineAt(t, yaml, END - 90 * DAY_MS))
  assert.deepEqual(
    findings.map(({ text }) => text),
    ['one in providers.openai.ca expired on 2001-01-01'],
  )
})

test('says nothing of certificates where there are none', async (t) => {
  assert.deepEqual(only('certificates', await examineAt(t, '', END)), [])
})

test('names credentials that cannot be read, and says nothing where none are stored', async (t) => {
  const readable = `file:${certificatePath('server.pem')}`
  const yaml = `providers: { openai: { credential: 'env:NO_SUCH_VARIABLE_HERE' }, groq: { credential: '${readable}' } }`
  const [finding, ...others] = only('credentials', await examineAt(t, yaml, END))
  assert.equal(finding?.level, 'fault')
  assert.match(finding?.text ?? '', /openai\.credential: names the variable NO_SUCH_VARIABLE_HERE/)
  assert.match(
    finding?.text ?? '',
    /groq\.credential: names .*server\.pem, which has several lines/,
  )
  assert.ok(!(finding?.text ?? '').includes('BEGIN'))
  assert.deepEqual(others, [])
  assert.deepEqual(only('credentials', await examineAt(t, '', END)), [])
})

test('a rule for a team that is not there is a warning, and one by pattern is not', async (t) => {
  const rules = ['{ group: a, team: search }', "{ group: 'b-*', team: '*' }"]
  const yaml = `signIn: { groups: [${rules.join(', ')}, { group: c, companyRole: viewer }] }`
  const [finding, ...others] = only('sign-in', await examineAt(t, yaml, END))
  assert.deepEqual(
    [finding?.level, finding?.text, others.length],
    ['warn', 'signIn.groups names teams that are not there: search', 0],
  )
})
