// The contract for exports, seen through contract.ts. It is only ever added to.

import { z } from 'zod'

export const EXPORT_FORMATS = ['usage', 'focus'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Calls in the month's sums: a complete file of calls has as many rows, plus the denied ones. */
export const EXPORT_REQUESTS_HEADER = 'X-SVC-Usage-Requests'

export const EXPORT_MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

const error = 'month must be a calendar month as YYYY-MM'

export const exportParametersSchema = z.strictObject({
  month: z
    .string(error)
    .regex(EXPORT_MONTH, error)
    .meta({
      description:
        'The UTC month in which the calls ended, not after the current one. What was removed by now (retention.events) ' +
        'is not in the file.',
      example: '2026-03',
    }),
})

export const EXPORT_GRANULARITIES = ['call', 'daily'] as const
export type ExportGranularity = (typeof EXPORT_GRANULARITIES)[number]

export const focusParametersSchema = exportParametersSchema.extend({
  granularity: z
    .enum(EXPORT_GRANULARITIES, 'granularity must be call or daily')
    .optional()
    .meta({
      description:
        'call, which is the default: a row per call. daily: a row for each UTC day, key, provider, model, service tier, ' +
        'region, source of cost and set of dimensions, with exact sums.',
      example: 'daily',
    }),
})

export function toExportPath(format: ExportFormat): `/v1/exports/${ExportFormat}.csv` {
  return `/v1/exports/${format}.csv`
}

/** Comma-separated values, or a line of JSON for each call. */
export const CALL_FILE_KINDS = ['csv', 'jsonl'] as const
export type CallFileKind = (typeof CALL_FILE_KINDS)[number]

export function toCallFilePath(kind: CallFileKind): `/v1/exports/requests.${CallFileKind}` {
  return `/v1/exports/requests.${kind}`
}
