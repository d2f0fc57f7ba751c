// The configuration: defaults, then the file, then the environment. It reads process.env.
// Every fault of every source is reported at once, and the result is frozen.

import path from 'node:path'
import type { PriceRule } from '../core/price-rule.ts'
import { checkAgents } from './schema/agents.ts'
import { addressOf, isBuiltIn, SHAPES } from '../providers/directory.ts'
import type { Shape } from '../providers/directory.ts'
import { isClickhouseUrl } from './database-url.ts'
import { readConventions, readEnvironment } from './environment.ts'
import type { Environment } from './environment.ts'
import { toConfigError } from './config-error.ts'
import type { ConfigFault } from './config-error.ts'
import { toFaults } from './schema-faults.ts'
import { readConfigFile } from './config-file.ts'
import type { ConfigSource } from './config-file.ts'
import { resolveReference } from './credential-source.ts'
import type { CredentialRule } from './provider-credentials.ts'
import { configSchema } from './schema.ts'
import type { CheckedConfig } from './schema.ts'
import { readConfiguredRules } from './price-rules-file.ts'
import { checkSignIn } from './sign-in-settings.ts'
import { readTlsFiles } from './tls-files.ts'

export interface ProviderConfig {
  /** Always there for an id that is not built in. */
  readonly url?: string | undefined
  readonly shape?: Shape | undefined
  readonly ca?: string | undefined
  readonly region?: string | undefined
  /** `env:NAME` or `file:PATH`, never the credential itself: this object goes from hand to hand. */
  readonly credential?: string | undefined
  readonly credentials?: readonly CredentialRule[] | undefined
}

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T

/** All paths are absolute. */
export type Config = DeepReadonly<Omit<CheckedConfig, 'providers' | 'prices'>> & {
  readonly providers: Readonly<Record<string, ProviderConfig>>
  readonly prices: DeepReadonly<CheckedConfig['prices']> & {
    /** The file's rules when it was read: every process uses these, whenever it is started. */
    readonly rules: readonly PriceRule[]
  }
}

export interface LoadConfigOptions {
  /** The value of `--config`; wins over WEIR_CONFIG. */
  readonly file?: string | undefined
  readonly env?: Environment
  readonly cwd?: string
}

const DEFAULT_FILE = 'weir.yaml'

export function loadConfig(options: LoadConfigOptions = {}): Config {
  const env = options.env ?? process.env
  const cwd = options.cwd ?? process.cwd()
  const named = options.file ?? (env['WEIR_CONFIG'] || undefined)
  const file = readConfigFile({
    cwd,
    file: named ?? DEFAULT_FILE,
    isRequired: named !== undefined,
  })
  const environment = readEnvironment(env, cwd)
  const given = merge(file.input, environment.input)
  const conventions = readConventions(env, isSection(given) ? given['upstream'] : undefined)
  const merged = merge(conventions.input, given)
  const faults = [...check(file), ...check(environment), ...check(conventions)]
  faults.push(...checkProviders(merged, { file, environment, known: faults }))
  for (const path of [['tls'], ['api', 'tls']]) {
    faults.push(...checkTls(merged, path, { file, environment, known: faults }))
  }
  faults.push(...checkDatabases(merged, { file, environment, known: faults }))
  if (faults.length === 0) {
    const checked = configSchema.parse(merged)
    faults.push(...checkSignIn(checked), ...checkAgents(checked))
  }
  if (faults.length > 0) throw toConfigError(faults)
  const config = resolvePaths(configSchema.parse(merged), cwd)
  readTlsFiles(config)
  const rules = readConfiguredRules(config)
  return freeze({ ...config, prices: { ...config.prices, rules } })
}

/** Null where none is set. */
export function readAccessToken(env: Environment = process.env): string | null {
  return env['WEIR_TOKEN'] || null
}

/** Null where none is set. */
export function readRemoteUrl(env: Environment = process.env): string | null {
  return env['WEIR_URL'] || null
}

/** Null where none is set. */
export function readWeirKey(env: Environment = process.env): string | null {
  return env['WEIR_KEY'] || null
}

/** Where coding agents have their settings, as far as they are told. */
export function readToolFolders(env: Environment = process.env) {
  return {
    claude: env['CLAUDE_CONFIG_DIR'] || undefined,
    codex: env['CODEX_HOME'] || undefined,
    config: env['XDG_CONFIG_HOME'] || undefined,
  }
}

/** Whether the user's own key at a provider is at hand; it is not read. */
export function hasVariable(name: string, env: Environment = process.env): boolean {
  return Boolean(env[name])
}

/** Whether the terminal asks for ASCII only: https://no-color.org, TERM=dumb, or the C locale. */
export function isPlainTerminal(env: Environment = process.env): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb' || /^(?:C|POSIX)$/.test(locale)
}

function resolvePaths(config: CheckedConfig, cwd: string) {
  const resolve = <Key extends string>(key: Key, file: string | undefined) =>
    (file === undefined ? {} : { [key]: path.resolve(cwd, file) }) as { [key in Key]?: string }
  const resolvePair = ({ cert, key }: CheckedConfig['tls']) => ({
    ...resolve('cert', cert),
    ...resolve('key', key),
  })
  const toAbsolute = (reference: string): string => resolveReference(reference, cwd)
  const providers = Object.entries(config.providers).map(([id, provider]) => {
    const { ca, credential, credentials } = provider
    const resolved = {
      ...resolve('ca', ca),
      ...(credential !== undefined && { credential: toAbsolute(credential) }),
      ...(credentials !== undefined && {
        credentials: credentials.map((rule) => ({ ...rule, use: toAbsolute(rule.use) })),
      }),
    }
    return [id, { ...provider, ...resolved }]
  })
  return {
    ...config,
    dataDir: path.resolve(cwd, config.dataDir),
    prices: { ...config.prices, ...resolve('file', config.prices.file) },
    agents: {
      ...config.agents,
      ...resolve('managedSettings', config.agents.managedSettings),
    },
    tls: resolvePair(config.tls),
    api: { ...config.api, tls: resolvePair(config.api.tls) },
    providers: Object.fromEntries(providers) as Config['providers'],
  }
}

function check(source: ConfigSource): ConfigFault[] {
  const result = configSchema.safeParse(source.input)
  const issues = result.success ? [] : result.error.issues
  return [...source.faults, ...toFaults(issues, source.input, source.originOf)]
}

interface Sources {
  readonly file: ConfigSource
  readonly environment: ConfigSource
  readonly known: readonly ConfigFault[]
}

/** Needs all sources: a provider's URL may be in one and its shape in the other. */
function checkProviders(merged: unknown, sources: Sources): ConfigFault[] {
  const providers = isSection(merged) ? merged['providers'] : undefined
  if (!isSection(providers)) return []
  const isFaulty = (id: string): boolean =>
    sources.known.some((fault) => `${fault.subject}.`.startsWith(`providers.${id}.`))
  return Object.entries(providers).flatMap(([id, provider]): ConfigFault[] => {
    if (!isSection(provider) || isFaulty(id)) return []
    const subject = `providers.${id}`
    const origin = originOfProvider(id, sources)
    if (provider['url'] === undefined && addressOf(id) === null) {
      return [{ subject, origin, text: 'has no address; write its url' }]
    }
    if (provider['shape'] !== undefined || isBuiltIn(id)) return []
    const text = `is not built in, so it needs a shape; write shape: one of ${SHAPES.join(', ')}`
    return [{ subject, origin, text }]
  })
}

/** A certificate without its key is a mistake, and must not lead to plain HTTP. */
function checkTls(
  merged: unknown,
  path: readonly string[],
  { file, environment, known }: Sources,
): ConfigFault[] {
  const section = path.join('.')
  const tls = sectionAt(merged, path)
  if (tls === null || known.some((fault) => fault.subject.startsWith(section))) return []
  const [set, missing] = tls['cert'] === undefined ? ['key', 'cert'] : ['cert', 'key']
  if (tls[set] === undefined || tls[missing] !== undefined) return []
  const isInFile = Object.hasOwn(sectionAt(file.input, path) ?? {}, set)
  const origin = (isInFile ? file : environment).originOf([...path, set], false)
  const text = `is set without ${section}.${missing}; write both, or neither`
  return [{ subject: `${section}.${set}`, origin, text }]
}

/**
 * Calls in a database that nodes share, without the keys that made them, would belong to no node.
 * ClickHouse has the calls alone: what they belong to is beside the keys, in PostgreSQL.
 */
function checkDatabases(merged: unknown, { file, environment, known }: Sources): ConfigFault[] {
  const urlIn = (input: unknown, name: string): unknown => {
    const found = isSection(input) ? input[name] : undefined
    return isSection(found) ? found['url'] : undefined
  }
  const usage = urlIn(merged, 'usage')
  if (usage === undefined || urlIn(merged, 'settings') !== undefined) return []
  if (known.some(({ subject }) => /^(?:usage|settings)/.test(subject))) return []
  const source = urlIn(file.input, 'usage') === undefined ? environment : file
  const text =
    typeof usage === 'string' && isClickhouseUrl(usage)
      ? 'names a ClickHouse without a settings.url for its sums; write that of a PostgreSQL, too, or neither'
      : 'is set without settings.url; write both, or settings.url alone'
  return [{ subject: 'usage.url', origin: source.originOf(['usage', 'url'], false), text }]
}

function originOfProvider(id: string, { file, environment }: Sources): string {
  const inFile = isSection(file.input) ? file.input['providers'] : undefined
  if (isSection(inFile) && Object.hasOwn(inFile, id)) return file.originOf(['providers', id], true)
  return environment.originOf(['providers', id, 'url'], false)
}

type Section = Readonly<Record<string, unknown>>

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null where there is none. */
function sectionAt(input: unknown, path: readonly string[]): Section | null {
  let found = input
  for (const key of path) found = isSection(found) ? found[key] : null
  return isSection(found) ? found : null
}

function merge(beneath: unknown, above: unknown): unknown {
  if (!isSection(beneath) || !isSection(above)) return above ?? beneath
  const merged: Record<string, unknown> = { ...beneath }
  for (const [key, value] of Object.entries(above)) merged[key] = merge(beneath[key], value)
  return merged
}

function freeze<T extends object>(value: T): Readonly<T> {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) freeze(member)
  }
  return Object.freeze(value)
}
