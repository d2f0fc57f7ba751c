// The certificates of test/fixtures/tls, by name: see the README.md there.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type CertificateName = 'server' | 'elsewhere' | 'expired' | 'foreign'
export type AuthorityName = 'authority' | 'other-authority'

export function certificatePath(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))
}

export function readAuthority(name: AuthorityName = 'authority'): string {
  return readFileSync(certificatePath(`${name}.pem`), 'utf8')
}

export function readCertificate(name: CertificateName): {
  readonly cert: string
  readonly key: string
} {
  return {
    cert: readFileSync(certificatePath(`${name}.pem`), 'utf8'),
    key: readFileSync(certificatePath(`${name}.key`), 'utf8'),
  }
}
