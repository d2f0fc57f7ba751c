// Reads the WEIR_ variables. One that nearly spells a setting is a fault, since a typing error
// would silently run with a default; others, such as a key exported for an SDK, are ignored.

import { nearestWord } from '../core/nearest-word.ts'
import type { ConfigSource } from './config-file.ts'
import type { ConfigFault } from './config-error.ts'
import { readSecretFiles, SECRET_FILE_VARIABLES } from './secret-files.ts'
import { SETTINGS, toVariable } from './settings.ts'
import type { Setting } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Not settings: the path of the file, and the URL and token of a remote Weir. */
const OTHER_VARIABLES: readonly string[] = ['WEIR_CONFIG', 'WEIR_URL', 'WEIR_TOKEN']
const PROVIDER_VARIABLE = /^WEIR_PROVIDER_([A-Z0-9_]+)_(URL|SHAPE|CA|REGION|CREDENTIAL)$/

// Names that other programs use; the first that is set counts. The file and WEIR_ take precedence.
const CONVENTIONAL: Readonly<Record<string, readonly string[]>> = {
  httpsProxy: ['HTTPS_PROXY', 'https_proxy'],
  noProxy: ['NO_PROXY', 'no_proxy'],
}

type Section = Record<string, unknown>

export function readEnvironment(env: Environment, cwd: string): ConfigSource {
  const input: Section = {}
  const secrets = readSecretFiles(env, cwd)
  const faults: ConfigFault[] = [...secrets.faults]
  for (const [variable, value] of [...Object.entries(env), ...secrets.values]) {
    // An empty variable is how compose files and shells write "not set".
    if (!variable.startsWith('WEIR_') || value === undefined || value === '') continue
    if (OTHER_VARIABLES.includes(variable) || SECRET_FILE_VARIABLES.includes(variable)) continue
    const target = findTarget(variable)
    const text = target === null ? suggest(variable) : null
    if (target !== null) setAt(input, target.path, toValue(target.kind, value))
    else if (text !== null) faults.push({ subject: variable, origin: '', text })
  }
  const originOf = (path: readonly PropertyKey[]): string => {
    const variable = toVariable(path.join('.'))
    return secrets.values.has(variable) ? `${variable}_FILE` : variable
  }
  return { input, faults, originOf }
}

/** The conventional variables that are set, for those settings of `upstream` that are not. */
export function readConventions(env: Environment, upstream: unknown): ConfigSource {
  const input: Section = {}
  const variables = new Map<PropertyKey, string>()
  for (const [leaf, names] of Object.entries(CONVENTIONAL)) {
    const variable = names.find((name) => (env[name] ?? '') !== '')
    if (variable === undefined || (upstream as Section | undefined)?.[leaf] !== undefined) continue
    setAt(input, ['upstream', leaf], env[variable])
    variables.set(leaf, variable)
  }
  return { input, faults: [], originOf: (path) => variables.get(path.at(-1) ?? '') ?? '' }
}

interface Target {
  readonly path: readonly string[]
  readonly kind: Setting['kind']
}

function findTarget(variable: string): Target | null {
  const setting = SETTINGS.find((each) => each.variable === variable && !each.isList)
  if (setting !== undefined) return { path: setting.path.split('.'), kind: setting.kind }
  const match = PROVIDER_VARIABLE.exec(variable)
  if (match === null) return null
  const [, id = '', leaf = ''] = match
  return {
    path: ['providers', id.toLowerCase().replaceAll('_', '-'), leaf.toLowerCase()],
    kind: 'string',
  }
}

/** What cannot be read as the setting's kind stays text, for the schema to refuse. */
function toValue(kind: Setting['kind'], text: string): string | number | boolean {
  if (kind === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function setAt(target: Section, path: readonly string[], value: unknown): void {
  let section = target
  for (const key of path.slice(0, -1)) section = (section[key] ??= {}) as Section
  section[path.at(-1) as string] = value
}

function suggest(variable: string): string | null {
  const variables = SETTINGS.map((setting) => setting.variable)
  const known = [...variables, ...OTHER_VARIABLES, ...SECRET_FILE_VARIABLES]
  const near = nearestWord(variable, known)
  const isProvider = variable.startsWith('WEIR_PROVIDER')
  if (isProvider) return 'is not a setting; a provider is set by WEIR_PROVIDER_<ID>_URL'
  if (near !== null) return `is not a setting; did you mean ${near}?`
  const section = /^WEIR_[A-Z]+_/.exec(variable)?.[0]
  if (section === undefined || !known.some((name) => name.startsWith(section))) return null
  return 'is not a setting; unset it, or look it up in docs/configuration.md'
}
