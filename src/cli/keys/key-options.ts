// The options of a key. Must stay true: a pattern or dimension that could never match is refused.

import { findKnownProvider } from '../../api/keys/key-check.ts'
import { loadConfig } from '../../config/config.ts'
import type { KeySettings } from '../../store/open-store.ts'
import { dimKeyFault, DIM_PAIRS_MAX, dimValueFault } from '../../core/dims.ts'
import {
  ALLOWED_PROVIDERS_MAX,
  isPlainText,
  KEY_LIMIT_MAX,
  NOTE_CHARS_MAX,
  OWNER_CHARS_MAX,
  PATTERN,
  PATTERN_CHARS_MAX,
  PATTERNS_MAX,
  PROVIDER_ID,
  USE_CREDENTIALS_MAX,
} from '../../core/key-rules.ts'
import { invalidArgument, listOption, textOption } from '../command.ts'
import type { CommandInput, CommandOption } from '../command.ts'
import { parseExpiry } from '../expiry.ts'
import { parseName } from '../name.ts'

export const KEY_OPTIONS: Readonly<Record<string, CommandOption>> = {
  name: { type: 'string', value: 'N', about: 'a name for people' },
  owner: { type: 'string', value: 'WHO', about: 'whom to ask about it' },
  note: { type: 'string', value: 'TEXT', about: 'what they should know' },
  'allow-model': {
    type: 'string',
    multiple: true,
    value: 'PATTERN',
    about: 'allow only these models: [provider:]creator/model, * for any characters',
  },
  'allow-provider': {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'allow only these providers',
  },
  'use-credential': {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'let its calls use the credential that Weir has for this provider',
  },
  'allow-derived-tokens': {
    type: 'boolean',
    about: 'let it make tokens with a stored credential that work without Weir',
  },
  dim: {
    type: 'string',
    multiple: true,
    value: 'K=V',
    about: 'a default dimension, for calls that do not set it',
  },
  'lock-dim': {
    type: 'string',
    multiple: true,
    value: 'K=V',
    about: 'a fixed dimension on every call',
  },
  'require-dim': { type: 'string', multiple: true, value: 'K', about: 'refuse calls without it' },
  rpm: { type: 'string', value: 'N', about: 'requests per minute' },
  'max-parallel': { type: 'string', value: 'N', about: 'concurrent calls' },
  expires: { type: 'string', value: 'WHEN', about: '2027-01-31, 2027-01-31T12:00Z, 30d, 12h, 90m' },
}

export function readKeySettings(input: CommandInput): Partial<KeySettings> {
  const name = textOption(input, 'name')
  const owner = textOption(input, 'owner')
  const note = textOption(input, 'note')
  const models = listOption(input, 'allow-model')
  const providers = listOption(input, 'allow-provider')
  const credentials = listOption(input, 'use-credential')
  const dims = listOption(input, 'dim')
  const lockedDims = listOption(input, 'lock-dim')
  const requiredDims = listOption(input, 'require-dim')
  const rpm = textOption(input, 'rpm')
  const parallel = textOption(input, 'max-parallel')
  const expires = textOption(input, 'expires')
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(owner !== undefined && { owner: parseAbout('--owner', owner, OWNER_CHARS_MAX) }),
    ...(note !== undefined && { note: parseAbout('--note', note, NOTE_CHARS_MAX) }),
    ...(models !== undefined && { allowedModels: parsePatterns(models) }),
    ...(providers !== undefined && {
      allowedProviders: parseProviders('--allow-provider', providers, ALLOWED_PROVIDERS_MAX),
    }),
    ...(credentials !== undefined && { useCredentials: parseCredentials(input, credentials) }),
    ...(input.values['allow-derived-tokens'] === true && { allowDerivedTokens: true }),
    ...(dims !== undefined && { defaultDims: parsePairs('--dim', dims) }),
    ...(lockedDims !== undefined && { lockedDims: parsePairs('--lock-dim', lockedDims) }),
    ...(requiredDims !== undefined && { requiredDims: parseDimKeys(requiredDims) }),
    ...(rpm !== undefined && { rateLimitRpm: parseLimit('--rpm', rpm) }),
    ...(parallel !== undefined && { maxParallel: parseLimit('--max-parallel', parallel) }),
    ...(expires !== undefined && { expiresAt: parseExpiry(expires, input.clock.now()) }),
  }
}

function parseAbout(flag: string, written: string, charsMax: number): string {
  const text = written.trim()
  if (isPlainText(text, charsMax)) return text
  const message = `${flag} must have 1 to ${charsMax} characters and no control characters.`
  throw invalidArgument(message, `keys update --clear ${flag.slice(2)} removes it.`)
}

function parsePatterns(texts: readonly string[]): string[] {
  const patterns = texts.map((text) => text.trim())
  for (const pattern of patterns) {
    if (PATTERN.test(pattern)) continue
    throw invalidArgument(
      `--allow-model "${pattern}" is not a pattern: it must be 1 to ${PATTERN_CHARS_MAX} printable ASCII characters.`,
      'Give one pattern with each --allow-model, such as creator/* or provider:creator/model.',
    )
  }
  return refuseBeyond('--allow-model', PATTERNS_MAX, [...new Set(patterns)])
}

function parseProviders(flag: string, ids: readonly string[], countMax: number): string[] {
  for (const id of ids) {
    if (PROVIDER_ID.test(id)) continue
    throw invalidArgument(
      `${flag} "${id}" is not a provider id.`,
      `Give one id with each ${flag}: the word after /v1/ in the proxy URL.`,
    )
  }
  return refuseBeyond(flag, countMax, [...new Set(ids)])
}

/** Of providers that are there: a right that is written wrongly would be missed by its calls. */
function parseCredentials({ configFile }: CommandInput, given: readonly string[]): string[] {
  const ids = parseProviders('--use-credential', given, USE_CREDENTIALS_MAX)
  const config = loadConfig(configFile === undefined ? {} : { file: configFile })
  for (const id of ids) findKnownProvider(config, id)
  return ids
}

function parsePairs(flag: string, pairs: readonly string[]): Record<string, string> {
  const dims = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const key = pair.slice(0, Math.max(at, 0)).trim()
    const value = pair.slice(at + 1).trim()
    const fault = at === -1 ? 'the pair has no "="' : (dimKeyFault(key) ?? dimValueFault(value))
    if (fault !== null) throw invalidDim(flag, pair, fault)
    if (dims.has(key)) throw invalidDim(flag, pair, 'the key is given twice')
    dims.set(key, value)
  }
  refuseBeyond(flag, DIM_PAIRS_MAX, [...dims.keys()])
  return Object.fromEntries(dims)
}

function parseDimKeys(keys: readonly string[]): string[] {
  for (const key of keys) {
    const fault = dimKeyFault(key)
    if (fault !== null) throw invalidDim('--require-dim', key, fault)
  }
  return refuseBeyond('--require-dim', DIM_PAIRS_MAX, [...new Set(keys)])
}

function invalidDim(flag: string, text: string, fault: string): Error {
  const form = flag === '--require-dim' ? 'KEY' : 'KEY=VALUE'
  return invalidArgument(
    `${flag} "${text}" is not a dimension: ${fault}.`,
    `Write ${flag} ${form}.`,
  )
}

function refuseBeyond(flag: string, countMax: number, list: string[]): string[] {
  if (list.length <= countMax) return list
  const message = `${flag} was given ${list.length} times; a key has at most ${countMax}.`
  throw invalidArgument(message, 'Give fewer, or create several keys.')
}

function parseLimit(flag: '--rpm' | '--max-parallel', text: string): number {
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= KEY_LIMIT_MAX) return limit
  const message = `${flag} "${text}" is not a whole number from 1 to ${KEY_LIMIT_MAX}.`
  const what = flag === '--rpm' ? 'requests per minute the key may make' : 'calls may run at once'
  throw invalidArgument(message, `Give how many ${what}. keys update --clear removes a limit.`)
}
