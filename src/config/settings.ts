// The schema's settings as a flat list, for all code that names, suggests or documents one.

import { z } from 'zod'
import { configSchema } from './schema.ts'

export interface Setting {
  /** `proxy.port` */
  readonly path: string
  /** `WEIR_PROXY_PORT` */
  readonly variable: string
  readonly kind: 'integer' | 'boolean' | 'string'
  readonly initial: string | number | boolean | null
  /** Completes "write …". */
  readonly allowed: string
  readonly description: string
  /** Never shown, and taken from a file as well: `WEIR_SETTINGS_URL_FILE`. */
  readonly isSecret: boolean
  /** Written in the file only. */
  readonly isList: boolean
}

/** The part of JSON Schema that Zod generates for our settings. */
interface Described {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly additionalProperties?: Described | false
  readonly items?: Described
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
  readonly allowed?: string
  readonly isSecret?: boolean
}

// Functions such as the URL check have no JSON Schema; their `allowed` text describes them.
const described = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as Described

/** The placeholder for a provider's id in the paths of `PROVIDER_SETTINGS`. */
export const PROVIDER_ID_PLACEHOLDER = '<id>'

export const SETTINGS: readonly Setting[] = collect(described, '').filter(
  (setting) => !setting.path.startsWith('providers.'),
)

export const PROVIDER_SETTINGS: readonly Setting[] = collect(described, '').filter((setting) =>
  setting.path.startsWith('providers.'),
)

function collect(node: Described, path: string): Setting[] {
  if (node.properties !== undefined) {
    const prefix = path === '' ? '' : `${path}.`
    return Object.entries(node.properties).flatMap(([key, child]) => collect(child, prefix + key))
  }
  if (typeof node.additionalProperties === 'object') {
    return collect(node.additionalProperties, `${path}.${PROVIDER_ID_PLACEHOLDER}`)
  }
  return [toSetting(node, path)]
}

function toSetting(node: Described, path: string): Setting {
  const kind = node.type === 'integer' || node.type === 'boolean' ? node.type : 'string'
  return {
    path,
    variable: toVariable(path),
    kind,
    initial: (node.default ?? null) as Setting['initial'],
    allowed: describeAllowed(node),
    description: node.description ?? '',
    isSecret: node.isSecret === true,
    isList: node.type === 'array',
  }
}

function describeAllowed(node: Described): string {
  if (node.allowed !== undefined) return node.allowed
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`
  if (node.type === 'integer') return `a whole number from ${node.minimum} to ${node.maximum}`
  if (node.type === 'boolean') return 'true or false'
  return 'text'
}

/** `alerts.allowPrivateTargets` becomes WEIR_ALERTS_ALLOW_PRIVATE_TARGETS. */
export function toVariable(path: string): string {
  const words = path
    .replace(/^providers\./, 'provider.')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[.-]/g, '_')
  return `WEIR_${words.toUpperCase()}`
}

export function findSetting(path: readonly PropertyKey[]): Setting | null {
  const isProvider = path[0] === 'providers' && path.length === 3
  const dotted = isProvider
    ? `providers.${PROVIDER_ID_PLACEHOLDER}.${String(path[2])}`
    : path.join('.')
  const settings = isProvider ? PROVIDER_SETTINGS : SETTINGS
  return settings.find((setting) => setting.path === dotted) ?? null
}

/** The keys that are allowed below a path; empty where any or none is. */
export function knownKeysAt(path: readonly PropertyKey[]): readonly string[] {
  let node: Described | undefined = described
  for (const key of path) {
    const open: Described | false | undefined = node?.additionalProperties ?? node?.items
    node = node?.properties?.[String(key)] ?? (typeof open === 'object' ? open : undefined)
  }
  return Object.keys(node?.properties ?? {})
}
