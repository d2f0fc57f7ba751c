// Explore against the parts it speaks for: the catalogue, the command line and the API's
// parameters.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { toCatalogueQuestion } from '../../console/src/pages/explore/catalogue-question.ts'
import { toAnalysisLines, toUsageLines } from '../../console/src/pages/explore/explore-lines.ts'
import { toAsked } from '../../console/src/pages/explore/explore-question.ts'
import type { ExploreSearch } from '../../console/src/pages/explore/explore-search.ts'
import { fromOldAddress } from '../../console/src/pages/explore/old-address.ts'
import { toAnalysisQuery } from '../../src/api/analysis/to-analysis-query.ts'
import { analysisParametersSchema, CATALOGUE } from '../../src/api/contract.ts'
import { parseParameters } from '../../src/api/parse-parameters.ts'
import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { commands as analyze } from '../../src/cli/analysis/analyze.ts'
import { commands as usage } from '../../src/cli/usage/usage.ts'
import { parseQuestion } from '../../src/cli/usage/usage-question.ts'

const NOW_MS = Date.parse('2026-03-05T10:00:00.000Z')
const ORIGIN = 'http://weir.test'
const HOSTILE = `-x'; echo "$HOME" \`id\` \\ %`

/** Each question of the catalogue as Explore shows it, by its old address. */
const QUESTIONS = CATALOGUE.flatMap(({ metric, dimension, windows }) =>
  windows.map((window) => {
    const address = {
      metric,
      window,
      dimension: dimension ?? undefined,
      dim_key: dimension === 'dim' || dimension === 'dim_model' ? 'team' : undefined,
      month: window === 'month' ? '2025-12' : undefined,
      api_key: metric === 'cost_usd' ? 'svc_k_1' : undefined,
    }
    const search = fromOldAddress(address, NOW_MS)
    assert.ok(search !== null)
    const question = toCatalogueQuestion(search, toAsked(search, NOW_MS).question)
    assert.ok(question !== null, JSON.stringify(address))
    return question
  }),
)

const SEARCHES: readonly ExploreSearch[] = [
  { range: 'last_30_days', group_by: ['model'] },
  { from: '2026-03-01T05:00Z', to: '2026-03-03', interval: 'hour', compare: 'previous' },
  {
    range: 'last_12_months',
    group_by: ['api_key', 'dim:team'],
    filter: [`dim:team=${HOSTILE}`, 'dim:app!=', 'status=denied', 'status=cut'],
    order_by: 'denials',
    limit: 7,
  },
]
const ASKED = SEARCHES.map((search) => toAsked(search, NOW_MS).question)

/** Functions in place of the programs show their arguments just as they would get them. */
function runLines(lines: readonly string[]): string[][] {
  const show = `{ for argument in "$@"; do printf '%s\\0' "$argument"; done; printf '\\n\\0'; }`
  const script = [`curl() ${show}`, `weir() ${show}`, ...lines].join('\n')
  const env = { WEIR_TOKEN: 'token' }
  const text = execFileSync('sh', ['-c', script], { encoding: 'utf8', env })
  const runs = text.split('\n\0').slice(0, -1)
  return runs.map((run) => run.split('\0').slice(0, -1))
}

function toTexts(question: object): Record<string, string> {
  const given = Object.entries(question).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

function readOptions(words: readonly string[]): Record<string, string> | null {
  const { values } = parseArgs({ args: [...words], options: { ...usage['usage']?.options } })
  const silent = (): void => undefined
  return parseQuestion({
    values,
    arguments: [],
    isJson: false,
    configFile: undefined,
    clock: { now: () => NOW_MS, monotonic: () => 0 },
    out: silent,
    err: silent,
  })
}

test('every question that can be clicked is one that the API takes', () => {
  for (const question of QUESTIONS) {
    parseUsageQuery(new URLSearchParams(toTexts(question)), NOW_MS)
  }
})

test('every line of weir usage asks what the page asked', () => {
  const asked = [...QUESTIONS, { ...QUESTIONS[0], dim_key: HOSTILE }]
  const runs = runLines(asked.map((question) => toUsageLines(ORIGIN, question as never).cli))
  assert.equal(runs.length, asked.length)
  for (const [place, words] of runs.entries()) {
    const [command, ...options] = words
    assert.equal(command, 'usage')
    assert.deepEqual(readOptions(options), toTexts(asked[place] ?? {}))
  }
})

test('every curl line asks what the page asked, with the token', () => {
  const asked = [...QUESTIONS, { ...QUESTIONS[0], dim_key: HOSTILE }]
  const runs = runLines(asked.map((question) => toUsageLines(ORIGIN, question as never).curl))
  assert.equal(runs.length, asked.length)
  for (const [place, words] of runs.entries()) {
    const url = readAddress(words)
    assert.equal(url.origin + url.pathname, `${ORIGIN}/v1/usage`)
    assert.deepEqual(Object.fromEntries(url.searchParams), toTexts(asked[place] ?? {}))
  }
})

test('what is not in the catalogue is asked of /v1/analysis, which takes it', () => {
  const runs = runLines(ASKED.map((question) => toAnalysisLines(ORIGIN, question).curl))
  for (const [place, words] of runs.entries()) {
    const url = readAddress(words)
    assert.equal(url.origin + url.pathname, `${ORIGIN}/v1/analysis`)
    const query = parseParameters(url.searchParams, analysisParametersSchema)
    const { filters, groupBy, fromMs } = toAnalysisQuery(query, NOW_MS)
    const question = ASKED[place]
    assert.deepEqual([fromMs, groupBy], [Date.parse(question?.from ?? ''), question?.group_by])
    assert.deepEqual(url.searchParams.getAll('filter'), question?.filter)
    assert.equal(filters.length, new Set(question?.filter.map((each) => each.split('=')[0])).size)
  }
})

test('every line of weir analyze has the options of the question', () => {
  const runs = runLines(ASKED.map((question) => toAnalysisLines(ORIGIN, question).cli))
  for (const [place, words] of runs.entries()) {
    const [command, ...args] = words
    assert.equal(command, 'analyze')
    const { values } = parseArgs({ args, options: { ...analyze['analyze']?.options } })
    const { group_by, order_by, limit, filter, compare, ...rest } = ASKED[place] ?? assert.fail()
    assert.deepEqual(
      { ...values },
      {
        ...rest,
        ...(group_by.length > 0 && { 'group-by': group_by }),
        ...(filter.length > 0 && { filter }),
        'order-by': order_by,
        limit: String(limit),
        ...(compare !== undefined && { compare }),
      },
    )
  }
})

function readAddress(words: readonly string[]): URL {
  const [flag, header, address = ''] = words
  assert.deepEqual([flag, header, words.length], ['-H', 'Authorization: Bearer token', 3])
  return new URL(address)
}
