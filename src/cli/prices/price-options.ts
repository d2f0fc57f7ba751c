// The options for kinds of tokens and for units: prices in `prices set`, counts in `prices quote`.

import { nearestWord } from '../../core/nearest-word.ts'
import { parseRegion, REGION_CHARACTERS_MAX } from '../../core/usage-event.ts'
import { invalidArgument, listOption, option, textOption } from '../command.ts'
import type { CommandInput, CommandOption } from '../command.ts'

/** By option, which is named like the unit. */
const TOKEN_OPTIONS: Readonly<Record<string, string>> = {
  input: 'input tokens',
  output: 'output tokens',
  'cache-read': 'input tokens read from a cache',
  'cache-read-audio': 'audio tokens among those read from a cache',
  'cache-read-image': 'image tokens among those read from a cache',
  'cache-write-5m': 'input tokens written to a cache for five minutes',
  'cache-write-1h': 'input tokens written to a cache for an hour',
  'input-audio': 'audio tokens in the input',
  'input-image': 'image tokens in the input',
  reasoning: 'reasoning tokens in the output',
  'output-audio': 'audio tokens in the output',
  'output-image': 'image tokens in the output',
}

export function tokenOptions(
  value: string,
  toAbout: (about: string) => string = (about) => about,
): Readonly<Record<string, CommandOption>> {
  return Object.fromEntries(
    Object.entries(TOKEN_OPTIONS).map(([name, about]) => [name, option(value, toAbout(about))]),
  )
}

/** With the unit that each is of, as price rules name it. */
export function givenTokens(input: CommandInput) {
  return Object.keys(TOKEN_OPTIONS).flatMap((name) => {
    const text = textOption(input, name)
    return text === undefined ? [] : [{ flag: `--${name}`, unit: toUnit(name), text: text.trim() }]
  })
}

const KIND = /^[a-z][a-z0-9_]{0,63}$/

/** `--per KIND=…`, each kind once. */
export function givenPairs(input: CommandInput): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of listOption(input, 'per') ?? []) {
    const at = pair.indexOf('=')
    const kind = toUnit(pair.slice(0, Math.max(at, 0)))
    if (!KIND.test(kind)) {
      throw invalidArgument(
        `--per "${pair}" is not a pair of a kind and a number.`,
        'Write --per web_search=0.01: the kind as weir explain shows it, then the number.',
      )
    }
    if (pairs.has(kind)) throw invalidArgument(`--per ${kind} was given twice.`, 'Give it once.')
    pairs.set(kind, pair.slice(at + 1).trim())
  }
  return pairs
}

/** Hyphens, as in options, are accepted for `_`. */
export function toUnit(text: string): string {
  return text.trim().toLowerCase().replaceAll('-', '_')
}

const COUNT_MAX = 1_000_000_000_000

export function parseCount(flag: string, text: string): number {
  const count = /^\d{1,13}$/.test(text) ? Number(text) : NaN
  if (count <= COUNT_MAX) return count
  throw invalidArgument(
    `${flag} "${text}" is not a count.`,
    `Write a whole number from 0 to ${COUNT_MAX}.`,
  )
}

const TIER = /^[a-z0-9][a-z0-9_.+-]{0,63}$/

/** What providers report, and the words for the ordinary tier. Several are joined by a plus. */
const TIERS = [
  'standard',
  'default',
  'on_demand',
  'auto',
  'flex',
  'priority',
  'batch',
  'fast',
  'scale',
  'reserved',
  'offpeak',
  'provisioned_throughput',
  'credit',
  'mixed',
  // What the region of a call stands for.
  'regional',
  'data-zone-eu',
  'data-zone-us',
]

/** Marks with a value of the provider's: `geo-us`, `latency-optimized`. */
const MARK = /^(?:geo|latency|region|speed)-[a-z0-9_.-]+$/

/** Undefined when it was not given. `listed` are tiers that the model has a price for. */
export function tierOption(
  input: CommandInput,
  listed: readonly string[] = [],
): string | undefined {
  const text = textOption(input, 'tier')
  if (text === undefined) return undefined
  const tier = text.trim().toLowerCase()
  const isKnown = tier.split('+').every((part) => TIERS.includes(part) || MARK.test(part))
  if (TIER.test(tier) && (isKnown || listed.includes(tier))) return tier
  const nearest = nearestWord(tier, [...TIERS, ...listed])
  throw invalidArgument(
    `--tier "${text}" is not a service tier.`,
    nearest === null
      ? 'Write it as weir explain shows it: flex, priority, batch, fast, batch+geo-us. A tier that Weir does not know can have a price in prices.file.'
      : `Did you mean ${nearest}?`,
  )
}

/** Undefined when it was not given. */
export function regionOption(input: CommandInput): string | undefined {
  const text = textOption(input, 'region')
  if (text === undefined) return undefined
  const region = parseRegion(text.trim())
  if (region !== null) return region
  throw invalidArgument(
    `--region "${text}" is not a region.`,
    `Write it as weir explain shows it, such as us-east5: letters, digits and hyphens, at most ${REGION_CHARACTERS_MAX}.`,
  )
}
