// TLS against a real server, with the certificates of test/fixtures/tls.

import assert from 'node:assert/strict'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { certificatePath } from '../../../test/fakes/certificates.ts'
import type { CertificateName } from '../../../test/fakes/certificates.ts'
import { NOBODY, openPostgresServer } from '../../../test/fakes/postgres/postgres-server.ts'
import {
  listPostgresPrograms,
  openTestDatabase,
} from '../../../test/fakes/postgres/test-database.ts'
import { StoreBusy } from '../store-busy.ts'
import { openPostgresDatabase } from './database.ts'

const AUTHORITY = `sslrootcert=${encodeURIComponent(certificatePath('authority.pem'))}`
const OTHER = `sslrootcert=${encodeURIComponent(certificatePath('other-authority.pem'))}`
const NO_AUTHORITY = /^Add the authority .* to the URL: sslrootcert=FILE\.$/

/** Whether the connection is encrypted, or what the refusal says is to be done. */
type Outcome = boolean | RegExp
const SERVERS: readonly (readonly [CertificateName, readonly (readonly [string, Outcome])[]])[] = [
  [
    'server',
    [
      [`sslmode=verify-full&${AUTHORITY}`, true],
      [`sslmode=require&${AUTHORITY}`, true],
      [`sslmode=verify-full&${OTHER}`, NO_AUTHORITY],
      [`sslmode=verify-ca&${OTHER}`, NO_AUTHORITY],
      ['sslmode=require', NO_AUTHORITY],
      ['sslmode=no-verify', true],
      ['sslmode=disable', false],
    ],
  ],
  [
    'elsewhere',
    [
      [`sslmode=verify-full&${AUTHORITY}`, /^Use a name of the server that is in its certificate/],
      [`sslmode=verify-ca&${AUTHORITY}`, true],
    ],
  ],
  ['expired', [[`sslmode=verify-full&${AUTHORITY}`, /^Renew the certificate/]]],
]

async function connect(url: string): Promise<boolean | undefined> {
  const database = openPostgresDatabase({ url, name: 'settings store', lock: 7 })
  try {
    const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    return (await database.first<{ ssl: boolean }>(text))?.ssl
  } finally {
    await database.close()
  }
}

function refusal(hint: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof StoreBusy, String(error))
    assert.match(error.message, /^The settings store at 127\.0\.0\.1:\d+\/\w+ cannot be used: /)
    assert.match(error.hint ?? '', hint)
    return true
  }
}

/** PostgreSQL wants its key in a file that nobody else can read. */
function installCertificate(folder: string, name: CertificateName): readonly string[] {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)]
  copyFileSync(certificatePath(`${name}.pem`), cert)
  copyFileSync(certificatePath(`${name}.key`), key)
  chmodSync(key, 0o600)
  if (process.getuid?.() === 0) chownSync(key, NOBODY, NOBODY)
  return ['ssl=on', `ssl_cert_file=${cert}`, `ssl_key_file=${key}`]
}

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'weir-tls-'))
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('TLS to the database checks authority and name as the URL says', async (t) => {
  const folder = createFolder(t)
  const { bin = '' } = listPostgresPrograms()[0] ?? {}
  for (const [name, cases] of SERVERS) {
    const settings = installCertificate(folder, name)
    const server = await openPostgresServer({ bin, folder: join(folder, 'server'), settings })
    try {
      for (const [parameters, outcome] of cases) {
        await t.test(`${name}.pem with ${parameters.replace(/=%2F.*%2F/, '=')}`, async () => {
          const connecting = connect(`${server.url}?${parameters}`)
          if (typeof outcome === 'boolean') assert.equal(await connecting, outcome)
          else await assert.rejects(connecting, refusal(outcome))
        })
      }
    } finally {
      await server.close()
    }
  }
})

test('a server without TLS is refused where the URL asks for it', async (t) => {
  const url = await openTestDatabase(t)
  await assert.rejects(connect(`${url}?sslmode=require`), refusal(/^Turn TLS on at the server/))
})
