// The contract for price data that is imported, seen through contract.ts. It is only ever added to.

import { z } from 'zod'
import { STANDING_REASONS } from '../../pricing/data/standing-reason.ts'
import { IMPORT_BYTES_MAX } from '../../store/settings/price-store.ts'
import { boolean, count, number, string, time } from '../answer-members.ts'
import { moment, named, namedBody } from '../parameter-schemas.ts'
import { usd } from './rate-contract.ts'

/** As JSON, a text has up to twice as many bytes. */
export const IMPORT_BODY_BYTES_MAX = 2 * IMPORT_BYTES_MAX

const TEXT_FAULT = `text must be the text of a price file, of at most ${IMPORT_BYTES_MAX} bytes`

export const priceImportRequestSchema = namedBody('PriceImportRequest', {
  text: z
    .string(TEXT_FAULT)
    .refine((text) => Buffer.byteLength(text) <= IMPORT_BYTES_MAX, TEXT_FAULT)
    .describe('A price file, as weir prices export writes it, or what genai-prices publishes.'),
  published_at: moment('published_at').describe('When, if the data itself does not say.'),
  changed_at: moment('changed_at').describe(
    'When its file changed: for data of which nobody says when it was published. Left out: now.',
  ),
  dry_run: z
    .boolean('dry_run must be true or false')
    .optional()
    .describe('Shows what would change, and changes nothing.'),
  force: z
    .boolean('force must be true or false')
    .optional()
    .describe('Imports what looks like a mistake, too.'),
})

const listedModel = z.object({
  provider: z.string().meta({ example: 'some-provider' }),
  model: z.string().meta({ example: 'large-2026-01-15' }),
})
const changedRate = listedModel.extend({
  tier: z.string(),
  unit: z.string(),
  before_usd: usd.nullable(),
  after_usd: usd.nullable(),
  percent: number.orNull('Null where there is nothing to compare with.'),
})
const modelCounts = z.record(z.string(), z.int())

export const priceImportReportSchema = named('PriceImportReport', {
  imported: z.boolean(),
  is_unchanged: boolean('The very same data is imported already.'),
  version: z.string().meta({ example: 'prices-2026-10-30' }),
  published_at: time(),
  is_date_guessed: boolean('Nobody says when it was published; changed_at was used.'),
  ignored_units: z.array(z.string()).describe('No call is counted by them.'),
  ignored: z
    .object({ units: modelCounts, fields: modelCounts })
    .describe('How many models have each.'),
  skipped: z.object({
    other_providers: count('That Weir does not use.'),
    other_models: count('Of these providers.'),
    unreadable_models: z.int(),
    examples: z.array(z.string()).describe('Of the unreadable ones.'),
  }),
  added: z.array(listedModel),
  removed: z.array(listedModel),
  changed: z.array(changedRate),
  corrections: z
    .object({
      replaced: z.array(listedModel),
      standing: z.array(listedModel.extend({ why: z.enum(STANDING_REASONS) })),
    })
    .describe("Weir's own corrections that the data replaces, and those that stand."),
  large_moves: z.array(changedRate).describe('By more than a factor of three.'),
  impact: z
    .object({
      days: z.int(),
      calls: z.int(),
      is_estimate: boolean('Projected from a part of the calls.'),
      before_usd: usd,
      after_usd: usd,
      models: z.array(
        listedModel.extend({
          calls: z.int(),
          before_usd: usd,
          after_usd: usd,
          unpriced_before: z.int(),
          unpriced_after: z.int(),
        }),
      ),
    })
    .nullable()
    .describe(
      'What the last days would cost before and after. Null where nothing changes, or without scope read:usage.',
    ),
  needs_force: z.boolean(),
})

export const priceImportAnswerSchema = named('PriceImportAnswer', {
  ...priceImportReportSchema.shape,
  doubts: z.array(z.string()).describe('Why importing it needs force, in sentences.'),
})

export const removedImportSchema = named('RemovedImport', {
  version: string('Of the data that was imported.'),
})

/** Its models, as an import reads them. */
export const priceFileSchema = z
  .looseObject({
    format: z.string().meta({ example: 'weir-prices/1' }),
    version: z.string().meta({ example: 'bundle@2026-10-30' }),
    published_at: time(),
    models: z.array(z.looseObject({ provider: z.string().meta({ example: 'some-provider' }) })),
  })
  .meta({ id: 'PriceFile' })

export type PriceImportRequest = z.output<typeof priceImportRequestSchema>
export type PriceImportReport = z.infer<typeof priceImportReportSchema>
export type PriceImportAnswer = z.infer<typeof priceImportAnswerSchema>
export type RemovedImport = z.infer<typeof removedImportSchema>
