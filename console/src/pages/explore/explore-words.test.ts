import { test } from 'node:test'
import type { AnalysisAnswer, Figures, Member } from '../../data/analysis/analysis.ts'
import { toAnalysisCsv } from '../../../../src/api/analysis/analysis-csv.ts'
import { toCsvName } from './explore-words.ts'
import assert from 'node:assert/strict'

const FIGURES: Figures = {
  cost_usd: 4.2e-7,
  market_cost_usd: 1.5,
  requests: 3,
  errors: 1,
  denials: 0,
  unpriced: 0,
  estimated: 0,
  cached: 0,
  cache_hit_share: null,
  output_tokens_per_second: null,
  tokens: 30,
  input_tokens: 20,
  output_tokens: 10,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  input_audio_tokens: 0,
  input_image_tokens: 0,
  reasoning_tokens: 0,
  output_audio_tokens: 0,
  output_image_tokens: 0,
  first_byte_ms: null,
  total_ms: { p50: 120, p95: 300, p99: 410 },
  own_us: null,
}

const KEY: Member = { field: 'api_key', kind: 'value', value: 'svc_k_1', name: '=1+1, "x"' }
const TEAM: Member = { field: 'dim:../team', kind: 'none', value: null, name: null }

const ANSWER: AnalysisAnswer = {
  asOf: '2026-03-02T05:00:00.000Z',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-03T00:00:00.000Z',
  interval: 'none',
  group_by: ['api_key', 'dim:../team'],
  buckets: [],
  rows: [{ group: [KEY, TEAM], ...FIGURES }],
  series: [],
  bucket_totals: [],
  total: FIGURES,
  other_groups: 0,
  capped_calls: 0,
  capped_keys: [],
  complete_from: null,
  previous: null,
}

const HEAD =
  'span,bucket,is_partial,api_key,api_key_name,api_key_kind,dim:../team,dim:../team_kind,' +
  'cost_usd,market_cost_usd,requests,errors,denials,unpriced,estimated,cached,cache_hit_share,' +
  'output_tokens_per_second,tokens,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,input_audio_tokens,' +
  'input_image_tokens,reasoning_tokens,output_audio_tokens,output_image_tokens,' +
  'first_byte_ms_p50,first_byte_ms_p95,first_byte_ms_p99,total_ms_p50,total_ms_p95,total_ms_p99,' +
  'own_us_p50,own_us_p95,own_us_p99'
const LINE =
  `svc_k_1,"'=1+1, ""x""",value,,none,` +
  '0.00000042,1.5,3,1,0,0,0,0,,,30,20,10,0,0,0,0,0,0,0,,,,120,300,410,,,'

test('a file has keys by id and name, plain decimals, and no formula', () => {
  assert.equal(toAnalysisCsv(ANSWER), `${HEAD}\r\ncurrent,,,${LINE}\r\n`)
})

test('over time it has a line for each bar and row, and those of the period before', () => {
  const start = '2026-03-01T00:00:00.000Z'
  const timed: AnalysisAnswer = {
    ...ANSWER,
    interval: 'day',
    buckets: [{ start, is_partial: true }],
    series: [{ bucket: 0, row: 0, ...FIGURES }],
    previous: {
      from: start,
      to: start,
      total: FIGURES,
      rows: [{ row: 0, ...FIGURES }],
      buckets: [],
      series: [],
      recorded_from: null,
    },
  }
  const lines = [HEAD, `current,${start},true,${LINE}`, `previous,,,${LINE}`]
  assert.equal(toAnalysisCsv(timed), lines.map((line) => `${line}\r\n`).join(''))
})

test('a file is named after its question, whatever the dimension is called', () => {
  assert.equal(
    toCsvName(ANSWER, 'cost'),
    'weir-cost-by-api_key-dim_.._team-2026-03-01-to-2026-03-03.csv',
  )
})
