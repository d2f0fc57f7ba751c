// Reads and checks the files of TLS: one that would fail a call later is a fault of the settings.

import { X509Certificate, createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createSecureContext } from 'node:tls'

import { toConfigError } from './config-error.ts'
import type { ConfigFault } from './config-error.ts'
import { readSmallFile } from './small-file.ts'

interface PairPaths {
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** Absolute. */
export interface TlsPaths {
  readonly tls: PairPaths
  readonly api: { readonly tls: PairPaths }
  readonly providers: Readonly<Record<string, { readonly ca?: string | undefined }>>
}

/** In PEM. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** What the ports and the connections to providers need. */
export interface TlsTexts {
  /** For the proxy's port; null while it speaks plain HTTP. */
  readonly proxy: TlsPair | null
  /** For the API's port. */
  readonly api: TlsPair | null
  /** Provider id to certificates in PEM. */
  readonly authorities: ReadonlyMap<string, string>
}

export interface TlsFiles extends TlsTexts {
  /** By the setting that names the file. */
  readonly certificates: ReadonlyMap<string, readonly X509Certificate[]>
}

const FILE_BYTES_MAX = 1_048_576
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g

/** Throws with all faults at once. */
export function readTlsFiles(paths: TlsPaths): TlsFiles {
  const reading = new Reading()
  const proxy = reading.readPair('tls', paths.tls)
  const api = reading.readPair('api.tls', paths.api.tls)
  const authorities = new Map<string, string>()
  for (const [id, { ca }] of Object.entries(paths.providers)) {
    if (ca === undefined) continue
    const text = reading.readCertificates(`providers.${id}.ca`, ca)
    if (text !== null) authorities.set(id, text)
  }
  const { certificates, faults } = reading
  if (faults.length > 0) throw toConfigError(faults)
  return { proxy, api, authorities, certificates }
}

class Reading {
  readonly faults: ConfigFault[] = []
  readonly certificates = new Map<string, readonly X509Certificate[]>()

  /** Null without files, and where they have a fault. */
  readPair(section: string, { cert: certFile, key: keyFile }: PairPaths): TlsPair | null {
    if (certFile === undefined || keyFile === undefined) return null
    const [certSetting, keySetting] = [`${section}.cert`, `${section}.key`]
    const cert = this.readCertificates(certSetting, certFile)
    const key = this.#readText(keySetting, keyFile)
    const privateKey = key === null ? null : this.#parseKey(keySetting, key, keyFile)
    const [own] = this.certificates.get(certSetting) ?? []
    if (cert === null || key === null || privateKey === null || own === undefined) return null
    if (!own.checkPrivateKey(privateKey)) {
      const text = `is not the key of the first certificate in ${certSetting}; write the path of that one's key`
      this.#add(keySetting, keyFile, text)
      return null
    }
    try {
      createSecureContext({ cert, key })
    } catch (error) {
      this.#add(certSetting, certFile, `cannot be used (${codeOf(error)}); make a new certificate`)
      return null
    }
    return { cert, key }
  }

  readCertificates(setting: string, file: string): string | null {
    const text = this.#readText(setting, file)
    if (text === null) return null
    const blocks = text.match(CERTIFICATE) ?? []
    try {
      const parsed = blocks.map((block) => new X509Certificate(block))
      if (parsed.length > 0) {
        this.certificates.set(setting, parsed)
        return text
      }
    } catch {
      // Reported below: a broken block counts as none.
    }
    this.#add(setting, file, 'contains no certificate; write the path of a PEM file with one')
    return null
  }

  #parseKey(setting: string, text: string, file: string): KeyObject | null {
    try {
      return createPrivateKey(text)
    } catch {
      const wanted = 'write the path of a PEM file with one, unencrypted'
      this.#add(setting, file, `contains no readable private key; ${wanted}`)
      return null
    }
  }

  #readText(setting: string, file: string): string | null {
    const remedy = 'write the path of a PEM file'
    const found = readSmallFile(file, { bytesMax: FILE_BYTES_MAX, remedy })
    if (found.kind === 'read') return found.text
    this.#add(setting, file, found.fault)
    return null
  }

  #add(subject: string, origin: string, text: string): void {
    this.faults.push({ subject, origin, text })
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
