// The files for finance in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { EXPORT_REQUESTS_HEADER, exportParametersSchema, toExportPath } from '../contract.ts'
import type { ExportFormat } from '../contract.ts'
import { INVALID, NEEDS_TOKEN, REFUSED, UNEXPECTED, error } from '../reference/openapi-answers.ts'

const WHOLE =
  'Needs a token with scope read:requests. The rows come as they are read: a file whose transfer was cut off is not whole. ' +
  'docs/exports.md tells of every column.'

const text = (description: string) => ({ description, schema: { type: 'string' as const } })

const FILE_HEADERS = {
  'Content-Disposition': text('`attachment`, with a name for the file.'),
  [EXPORT_REQUESTS_HEADER]: {
    description:
      'How many calls the sums of the month count. A file with fewer rows lacks calls that were removed (retention.events).',
    schema: { type: 'integer' as const },
  },
}

function toRoute(format: ExportFormat, route: Pick<RouteConfig, 'operationId' | 'summary'>) {
  return {
    method: 'get' as const,
    path: toExportPath(format),
    ...route,
    tags: ['Exports'],
    description: WHOLE,
    security: NEEDS_TOKEN,
    request: { query: exportParametersSchema },
    responses: {
      200: {
        description: 'Comma-separated values (RFC 4180), the names of the columns first.',
        headers: FILE_HEADERS,
        content: { 'text/csv': { schema: z.string() } },
      },
      ...INVALID,
      ...REFUSED,
      404: error('`not_found`: none of the calls of the month is kept any more; its sums are.'),
      ...UNEXPECTED,
    },
  }
}

export const EXPORT_ROUTES: readonly RouteConfig[] = [
  toRoute('usage', { operationId: 'exportUsage', summary: 'Every call of a month as CSV' }),
  toRoute('focus', {
    operationId: 'exportFocus',
    summary: 'Every charge of a month as CSV after FOCUS 1.2',
  }),
]
