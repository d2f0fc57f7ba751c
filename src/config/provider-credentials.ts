// The credentials that are stored for providers, each for the calls that its rule names. Files are
// read again when they change; one that became unusable leaves the last good value in force. Must
// stay true: a worker starts without one that it cannot read, since most calls need none. Only the
// first start and a reload refuse it.

import { stat } from 'node:fs/promises'

import type { Meter } from '../core/telemetry.ts'
import { toConfigError } from './config-error.ts'
import type { ConfigFault } from './config-error.ts'
import { fileOf, readCredential, toMark } from './credential-source.ts'

export interface CredentialRule {
  readonly use: string
  readonly key?: string | undefined
  readonly dim?: string | undefined
}

/** The part of the configuration that names them; files are absolute. */
export interface CredentialSettings {
  readonly providers: Readonly<
    Record<
      string,
      {
        readonly credential?: string | undefined
        readonly credentials?: readonly CredentialRule[] | undefined
      }
    >
  >
}

export interface CredentialOptions {
  readonly warn: (fields: object, message: string) => void
  readonly meter: Pick<Meter, 'set'>
  /** How often files are looked at. */
  readonly intervalMs?: number
}

type Dims = Readonly<Record<string, string>>

export interface ProviderCredentials {
  /** By provider id, where some are stored. */
  readonly byId: ReadonlyMap<string, ChosenByRule>
  /** Looks at the files once; what this finds is in force when it resolves. */
  readonly refresh: () => Promise<void>
  readonly close: () => void
}

const INTERVAL_MS = 2000

export function openProviderCredentials(
  settings: CredentialSettings,
  { warn, meter, intervalMs = INTERVAL_MS }: CredentialOptions,
): ProviderCredentials {
  const { byId, sources } = readProviders(settings)
  for (const source of sources) source.warn(warn)
  const files = sources.filter(({ file }) => file !== null)
  let running: Promise<void> | null = null
  const refresh = (): Promise<void> => {
    running ??= Promise.all(files.map((source) => source.refresh(warn))).then(() => {
      running = null
      const unreadable = files.filter(({ fault }) => fault !== null)
      meter.set('credentialsUnreadable', unreadable.length)
    })
    return running
  }
  const timer = files.length === 0 ? null : setInterval(() => void refresh(), intervalMs).unref()
  return { byId, refresh, close: () => clearInterval(timer ?? undefined) }
}

/** The providers with stored credentials, in order; throws with all faults at once. */
export function checkProviderCredentials(settings: CredentialSettings): string[] {
  const { byId, faults } = readProviders(settings)
  if (faults.length > 0) throw toConfigError(faults)
  return [...byId.keys()]
}

/** Whether one is stored for a provider, for those who may not know more about it. */
export function hasStoredCredential({ providers }: CredentialSettings, id: string): boolean {
  const { credential, credentials = [] } = providers[id] ?? {}
  return credential !== undefined || credentials.length > 0
}

export function listReferences({ providers }: CredentialSettings): string[] {
  return Object.values(providers).flatMap(({ credential, credentials = [] }) => [
    ...(credential === undefined ? [] : [credential]),
    ...credentials.map(({ use }) => use),
  ])
}

interface Reading {
  readonly byId: ReadonlyMap<string, ChosenByRule>
  readonly sources: readonly Source[]
  readonly faults: readonly ConfigFault[]
}

function readProviders({ providers }: CredentialSettings): Reading {
  const byReference = new Map<string, Source>()
  const byId = new Map<string, ChosenByRule>()
  const faults: ConfigFault[] = []
  const open = (reference: string, subject: string): Source => {
    const source = byReference.get(reference) ?? new Source(reference)
    byReference.set(reference, source)
    if (source.fault !== null) faults.push({ subject, origin: '', text: source.fault })
    return source
  }
  for (const [id, { credential, credentials = [] }] of Object.entries(providers)) {
    const rules = credentials.map(({ use, key, dim }, index): Rule => {
      const subject = `providers.${id}.credentials.${index}.use`
      return { source: open(use, subject), key: key ?? null, dim: dim ?? null }
    })
    if (credential !== undefined) {
      const source = open(credential, `providers.${id}.credential`)
      rules.push({ source, key: null, dim: null })
    }
    if (rules.length > 0) byId.set(id, new ChosenByRule(rules))
  }
  return { byId, sources: [...byReference.values()], faults }
}

interface Rule {
  readonly source: Source
  readonly key: string | null
  /** `name=value` */
  readonly dim: string | null
}

export class ChosenByRule {
  readonly #rules: readonly Rule[]

  constructor(rules: readonly Rule[]) {
    this.#rules = rules
  }

  /** Of the first rule that fits; null where none does. */
  choose(keyId: string, dims: Dims): string | null {
    const rule = this.#rules.find(
      ({ key, dim }) => (key === null || key === keyId) && (dim === null || hasDim(dims, dim)),
    )
    return rule?.source.value ?? null
  }
}

function hasDim(dims: Dims, dim: string): boolean {
  const at = dim.indexOf('=')
  const name = dim.slice(0, at)
  return Object.hasOwn(dims, name) && dims[name] === dim.slice(at + 1)
}

/** One variable or file, whichever rules name it. */
class Source {
  readonly file: string | null
  readonly #reference: string
  /** The last that could be read. */
  #value: string | null = null
  /** The file as it was last looked at. */
  #mark: string | null = null
  #fault: string | null = null

  constructor(reference: string) {
    this.#reference = reference
    this.file = fileOf(reference)
    this.#read()
  }

  get value(): string | null {
    return this.#value
  }

  /** Why it could not be read when it was last looked at. */
  get fault(): string | null {
    return this.#fault
  }

  async refresh(warn: CredentialOptions['warn']): Promise<void> {
    const mark = await stat(this.file as string).then(toMark, () => null)
    const wasUsable = this.#fault === null
    // One that could not be read is tried each time: it may come back as it was.
    if (wasUsable && mark !== null && mark === this.#mark) return
    this.#read()
    if (wasUsable) this.warn(warn)
  }

  warn(warn: CredentialOptions['warn']): void {
    if (this.#fault === null) return
    const instead = this.#value === null ? 'none is used' : 'the last good value is used'
    const fields = { file: this.file, fault: `The configuration ${this.#fault}.` }
    warn(fields, `a stored credential cannot be read, and ${instead}`)
  }

  #read(): void {
    const read = readCredential(this.#reference)
    this.#fault = read.kind === 'fault' ? read.text : null
    if (read.kind === 'fault') return
    this.#value = read.value
    this.#mark = read.mark
  }
}
