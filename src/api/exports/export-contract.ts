// The contract for exports, seen through contract.ts. It is only ever added to.

import { z } from 'zod'

export const EXPORT_FORMATS = ['usage', 'focus'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** Calls in the month's sums: a complete file has as many rows, plus the denied calls. */
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

export function toExportPath(format: ExportFormat): `/v1/exports/${ExportFormat}.csv` {
  return `/v1/exports/${format}.csv`
}
