// Reads our corrections of prices, a file per provider in corrections/, and makes of them what the
// bundle carries. Must stay true: each has its reason, the page that it is from and the day of the
// data that it corrects, and what the program knows is exactly what the files say.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'

import type {
  BundledCorrections,
  CorrectedModel,
  CorrectedPrice,
  ProviderCorrections,
} from '../../src/pricing/data/correction.ts'
import { isKnownPrice } from '../../src/pricing/data/genai-rates.ts'
import {
  day,
  match,
  tierName,
  timeOfDay,
  toFaults,
} from '../../src/pricing/data/price-file-schema.ts'
import { toWeeks, withPeaks } from './peak-weeks.ts'
import type { Peaks } from './peak-weeks.ts'

const FOLDER = path.join(import.meta.dirname, 'corrections')
const EXTENSION = '.yaml'

const text = z.string().min(1)
const usd = z.number().positive()
const percent = z.int().positive()
const ids = z.array(text).min(1)
const hours = z.strictObject({ start: timeOfDay, end: timeOfDay })
const unit = text.refine(isKnownPrice, 'is no unit of the price data')
const steps = z.array(z.strictObject({ start: z.int(), price: usd })).min(1)
const rates = z.record(unit, z.union([usd, z.strictObject({ base: usd, tiers: steps })]))
const unitPrice = z.union([usd, z.strictObject({ usd, per: z.int().positive() })])
const perUnit = z.record(text, unitPrice)
const tierRule = z.strictObject({ models: ids, percent, except: z.array(unit).optional() })

const price = z.strictObject({
  from: day.optional(),
  hours: hours.optional(),
  prices: rates,
  perUnit: perUnit.optional(),
  tiers: z.record(tierName, rates).optional(),
  /** In peak hours: of every day, or with `isWeekly` of working days, up to a day. */
  peak: rates.optional(),
  isWeekly: z.literal(true).optional(),
  until: day.optional(),
})

const model = z
  .strictObject({
    id: text,
    why: text,
    source: text.optional(),
    against: day.optional(),
    /** Its names if it has others than its id, or rules for them. */
    names: ids.optional(),
    match: match.optional(),
    /** Null: free; empty: unknown. */
    prices: z.union([z.null(), rates, z.array(price).min(1)]).optional(),
    /** Where it has no tokens. */
    perUnit: perUnit.optional(),
  })
  .refine((one) => one.names === undefined || one.match === undefined, 'has names and a match')
  .refine((one) => (one.prices === undefined) !== (one.perUnit === undefined), 'has no one price')

const file = z.strictObject({
  /** The page of all figures that do not name another. */
  source: text,
  /** The day of the price data that they were last compared with; newer data replaces them. */
  against: day,
  peaks: z
    .strictObject({ hours: z.array(hours).min(1), plannedUntil: day, doubtfulDays: text })
    .optional(),
  models: z.array(model).optional(),
  tiers: z.record(tierName, z.union([percent, z.array(tierRule)])).optional(),
  perUnit: z
    .array(z.strictObject({ kind: text, price: unitPrice, models: ids.optional() }))
    .optional(),
  regions: z.record(text, text.nullable()).optional(),
  hourWrites: z.strictObject({ idPart: text, factor: usd }).optional(),
})

type CorrectionsFile = z.infer<typeof file>

/** A new version where the files say something else than the bundle did. */
export function nextCorrections(before: BundledCorrections): BundledCorrections {
  const providers = readCorrections()
  const isSame = isDeepStrictEqual(providers, before.providers)
  return { version: isSame ? before.version : before.version + 1, providers }
}

/** By our provider ids, which are the names of the files. */
export function readCorrections(folder = FOLDER): BundledCorrections['providers'] {
  const names = readdirSync(folder).filter((name) => name.endsWith(EXTENSION))
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const content = readFileSync(path.join(folder, name), 'utf8')
      return [name.slice(0, -EXTENSION.length), parseCorrections(name, content)]
    }),
  )
}

export function parseCorrections(name: string, content: string): ProviderCorrections {
  const parsed = file.safeParse(parse(content))
  if (!parsed.success) throw new Error(`${name}:\n${toFaults(parsed.error).join('\n')}`)
  const { source: _, against: __, peaks: ___, models, ...others } = parsed.data
  requireOnce(name, models ?? [])
  const corrected = models?.map((one) => toModel(one, parsed.data))
  return JSON.parse(
    JSON.stringify({ ...(corrected === undefined ? {} : { models: corrected }), ...others }),
  ) as ProviderCorrections
}

function requireOnce(name: string, models: readonly { readonly id: string }[]): void {
  const all = models.map(({ id }) => id)
  const twice = all.filter((id, at) => all.indexOf(id) !== at)
  if (twice.length > 0) throw new Error(`${name}: there are two of ${twice.join(', ')}`)
}

function toModel(one: z.infer<typeof model>, of: CorrectionsFile): CorrectedModel {
  const { id, names = [id], prices = [{ prices: {}, perUnit: one.perUnit }] } = one
  const equals = names.map((name) => ({ equals: name }))
  const [only] = equals
  const named = only !== undefined && equals.length === 1 ? only : { or: equals }
  const against = one.against ?? of.against
  return { id, match: one.match ?? named, against, prices: toPrices(prices, of.peaks) }
}

type GivenPrices = Exclude<z.infer<typeof model>['prices'], undefined>

function toPrices(prices: GivenPrices, peaks: CorrectionsFile['peaks']): CorrectedModel['prices'] {
  if (prices === null) return null
  const list = Array.isArray(prices) ? prices : [{ prices }]
  return list.flatMap(({ peak, isWeekly, until, ...ordinary }): readonly CorrectedPrice[] => {
    if (peak === undefined) return [ordinary as CorrectedPrice]
    const { from } = ordinary
    if (peaks === undefined || from === undefined) throw new Error('A peak has no hours or no day.')
    const of = { from, quiet: ordinary.prices, peak }
    return isWeekly === true ? toWeeks(of, toCalendar(peaks), until) : withPeaks(of, peaks.hours)
  })
}

function toCalendar(peaks: NonNullable<CorrectionsFile['peaks']>): Peaks {
  return { ...peaks, doubtfulDays: new Set(peaks.doubtfulDays.split(/\s+/)) }
}
