// GET /v1/analysis. The checks and their order are those of GET /v1/usage.

import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { CSV_FILE, sendFile } from '../exports/answer-file.ts'
import { toIso } from '../iso-time.ts'
import { readNames } from '../known-names.ts'
import { error } from '../route-answers.ts'
import { answerQuestion, KEPT_MS } from '../usage/snapshot-response.ts'
import { CACHE_HEADER, RATE_HEADERS, USAGE_ACCESS } from '../usage/usage-routes.ts'
import type { KeptQuestion } from '../usage/usage-snapshots.ts'
import {
  analysisCsvParametersSchema,
  analysisParametersSchema,
  analysisSchema,
} from './analysis-contract.ts'
import { toAnalysisFileName } from './analysis-csv.ts'
import { ANALYSIS_POINTS_MAX } from './analysis-span.ts'
import { checkAnalysisScope, toAnalysisQuery } from './to-analysis-query.ts'
import type { AnalysisQuery } from './to-analysis-query.ts'

const ACCESS: typeof USAGE_ACCESS = {
  ...USAGE_ACCESS,
  faults: (method) => ({
    ...USAGE_ACCESS.faults(method),
    400: {
      ...error(
        '`invalid_parameter`: the text names the parameter and what is allowed, or how to narrow the question.',
        {
          error: `This would be 720 buckets of 102 rows, more than ${ANALYSIS_POINTS_MAX} in all. Take limit=25 or less, a longer interval, a shorter span by from and to.`,
          code: 'invalid_parameter',
        },
      ),
      headers: RATE_HEADERS,
    },
    403: {
      ...error(
        '`scope_denied`: the token lacks read:usage, or read:keys for group_by api_key and person.',
        {
          error: 'group_by api_key needs a token with scope read:keys.',
          code: 'scope_denied',
        },
      ),
      headers: RATE_HEADERS,
    },
  }),
}

const DESCRIPTION = `\`group_by=api_key\` and \`group_by=person\` need read:keys as well. By the rate limit of \`/v1/usage\`.

Any hours, by up to two fields, filtered by any. Everything in an answer is of one moment, \`asOf\`, and adds up: \`series\` to \`rows\`, \`rows\` to \`total\`; \
figures of the same hours and moment are those of \`/v1/usage\`. Groups beyond \`limit\` are one last row whose members are of kind other; calls without a value (untagged) are a row of their own, whatever \`limit\` is. \
A group that only the previous span had has a row as well, with nothing in it.

What would take too long, or has more than ${ANALYSIS_POINTS_MAX} buckets times rows, is refused with the way to narrow it. A snapshot, kept for a minute.`

const CSV_DESCRIPTION = `The parameters of \`/v1/analysis\` but limit and offset: every group has a line. \
The columns are those of the console's table and of \`weir analyze\`: the groups, order_by, its share of the total, with compare what it was before, and cost, requests, tokens and errors. \
With \`steps=true\` there is a line for each group and step of \`interval\`, with every figure. By the rate limit of \`/v1/usage\`.`

export const ANALYSIS_ROUTES: readonly ApiRoute[] = [
  routesOf('Usage')('GET /v1/analysis', {
    name: 'getAnalysis',
    summary: 'Any question about usage',
    description: DESCRIPTION,
    access: ACCESS,
    sight: 'scoped',
    query: analysisParametersSchema,
    answer: {
      ...ok('Rows, their points in time, and their total.', analysisSchema),
      headers: { ...RATE_HEADERS, 'Cache-Control': CACHE_HEADER },
    },
    handle: (call) => {
      const { services, caller, query } = call
      const asked = checkAnalysisScope(toAnalysisQuery(query, services.clock.now()), caller)
      return answerQuestion(call, toKeptAnalysis(services, asked))
    },
  }),
  routesOf('Usage')('GET /v1/exports/analysis.csv', {
    name: 'exportAnalysis',
    summary: 'All groups of an analysis as CSV',
    description: CSV_DESCRIPTION,
    access: ACCESS,
    sight: 'scoped',
    query: analysisCsvParametersSchema,
    answers: { 200: { ...CSV_FILE, headers: { ...RATE_HEADERS, ...CSV_FILE.headers } } },
    handle: async ({ context, services, caller, query: { steps = false, ...given } }) => {
      const nowMs = services.clock.now()
      const query = checkAnalysisScope(toAnalysisQuery(given, nowMs), caller)
      const names = await readNames(services, query.groupBy)
      const asked = { ...query, hasSteps: steps }
      const csv = await services.questions.writeAnalysisCsv(asked, names, nowMs)
      const fileName = toFileName(query)
      return sendFile(context, { fileName, chunks: toPieces(csv), mediaType: 'text/csv' })
    },
  }),
]

/** `weir-cost-by-model-2026-11-01-to-2026-11-17.csv` */
function toFileName({ groupBy, orderBy, fromMs, toMs }: AnalysisQuery): string {
  const days = [fromMs, toMs].map((ms) => toIso(ms).slice(0, 10))
  return toAnalysisFileName({ measure: orderBy, fields: groupBy, from: days[0], to: days[1] })
}

/** For all who ask through the API: the same question has the same answer for a minute. */
export function toKeptAnalysis(services: ApiServices, query: AnalysisQuery): KeptQuestion {
  return {
    name: JSON.stringify(['analysis', ...Object.values(query)]),
    compute: async (nowMs) => {
      const names = await readNames(services, query.groupBy)
      return {
        text: await services.questions.writeAnalysis(query, names, nowMs),
        keptMs: KEPT_MS,
      }
    },
  }
}

const PIECE_CHARS = 65_536

/** In pieces of whole lines, each when the caller has taken the one before. */
async function* toPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at + PIECE_CHARS)
    const next = end < 0 ? text.length : end + 1
    yield text.slice(at, next)
    at = next
  }
}
