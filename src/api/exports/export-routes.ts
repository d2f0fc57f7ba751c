// A month as CSV.

import { withScope } from '../access.ts'
import {
  EXPORT_REQUESTS_HEADER,
  exportParametersSchema,
  focusParametersSchema,
  toExportPath,
} from './export-contract.ts'
import { routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { error, header } from '../route-answers.ts'
import { toMonth } from '../usage/windows.ts'
import { ALL_SLOTS_TAKEN, answerFile, CSV_FILE } from './answer-file.ts'
import { createExport } from './create-export.ts'
import type { ExportChoice } from './create-export.ts'

const FILE = {
  ...CSV_FILE,
  headers: {
    ...CSV_FILE.headers,
    [EXPORT_REQUESTS_HEADER]: header(
      'How many calls the sums of the month count. A file with fewer rows lacks calls that were removed (retention.events).',
      'integer',
    ),
  },
}

const defineRoute = routesOf('Exports')

const SHARED = {
  access: withScope('read:requests'),
  sight: 'scoped',
  answers: {
    200: FILE,
    404: error('`not_found`: none of the calls of the month is kept any more; its sums are.'),
    ...ALL_SLOTS_TAKEN,
  },
} as const
const DESCRIPTION =
  'The rows come as they are read: a file whose transfer was cut off is not whole. docs/exports.md describes every column. The names of keys are in it for a token with scope read:keys.'

export const EXPORT_ROUTES: readonly ApiRoute[] = [
  defineRoute(`GET ${toExportPath('usage')}`, {
    ...SHARED,
    name: 'exportUsage',
    summary: 'Every call of a month as CSV',
    description: DESCRIPTION,
    query: exportParametersSchema,
    handle: (call) => answerExport(call, { format: 'usage', ...call.query }),
  }),
  defineRoute(`GET ${toExportPath('focus')}`, {
    ...SHARED,
    name: 'exportFocus',
    summary: 'Every charge of a month as CSV after FOCUS 1.2, one by one or as daily sums',
    description: DESCRIPTION,
    query: focusParametersSchema,
    handle: (call) => answerExport(call, { format: 'focus', ...call.query }),
  }),
]

async function answerExport(
  call: Parameters<typeof answerFile>[0],
  choice: ExportChoice,
): Promise<Response> {
  const current = toMonth(call.services.clock.now())
  if (choice.month > current) {
    throw invalidParameter(`Parameter month must not be after the current month, ${current} (UTC).`)
  }
  return answerFile(call, {
    mediaType: 'text/csv',
    about: choice,
    make: async (usage, options) => {
      const { requests, ...file } = await createExport(usage, choice, options)
      return { ...file, headers: { [EXPORT_REQUESTS_HEADER]: String(requests) } }
    },
  })
}
