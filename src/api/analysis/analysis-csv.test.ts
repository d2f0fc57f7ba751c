import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toAnalysisFileName, toStepsCsv, toTableCsv } from './analysis-csv.ts'
import type { Analysis, AnalysisFiguresAnswer, AnalysisGroupMember } from './analysis-contract.ts'

const FIGURES: AnalysisFiguresAnswer = {
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
  unstreamed_ms: null,
}

const KEY: AnalysisGroupMember = {
  field: 'api_key',
  kind: 'value',
  value: 'svc_k_1',
  name: '=1+1, "x"',
}
const TEAM: AnalysisGroupMember = { field: 'dim:../team', kind: 'none', value: null, name: null }

const ANSWER: Analysis = {
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
  groups: 1,
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
  'own_us_p50,own_us_p95,own_us_p99,unstreamed_ms_p50,unstreamed_ms_p95,unstreamed_ms_p99'
const LINE =
  `svc_k_1,"'=1+1, ""x""",value,,none,` +
  '0.00000042,1.5,3,1,0,0,0,0,,,30,20,10,0,0,0,0,0,0,0,,,,120,300,410,,,,,,'

test('a file has keys by id and name, plain decimals, and no formula', () => {
  assert.equal(toStepsCsv(ANSWER), `${HEAD}\r\ncurrent,,,${LINE}\r\n`)
})

test('over time it has a line for each bar and row, and those of the period before', () => {
  const start = '2026-03-01T00:00:00.000Z'
  const timed: Analysis = {
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
  assert.equal(toStepsCsv(timed), lines.map((line) => `${line}\r\n`).join(''))
})

test('a table has the columns that are shown beside it, in their order, and no other', () => {
  const rest = [
    { ...KEY, kind: 'other', value: null, name: null },
    { ...TEAM, kind: 'other' },
  ] as const
  const answer: Analysis = {
    ...ANSWER,
    interval: 'day',
    rows: [
      { group: [KEY, TEAM], ...FIGURES },
      { group: [...rest], ...FIGURES, cost_usd: 0, unpriced: 1, requests: 1 },
    ],
    total: { ...FIGURES, requests: 4 },
  }
  assert.equal(
    toTableCsv(answer, 'requests'),
    'api_key,api_key_name,dim:../team,requests,share_percent,cost_usd,tokens,errors\r\n' +
      `svc_k_1,"'=1+1, ""x""",Without ../team,3,75,0.00000042,30,1\r\n` +
      'Other,,Other,1,25,,30,1\r\n',
  )
})

test('a table that compares has what was before, the change in money and in percent', () => {
  const before = { ...FIGURES, cost_usd: 3 }
  const previous = {
    from: ANSWER.from,
    to: ANSWER.to,
    total: before,
    rows: [{ row: 0, ...before }],
    buckets: [],
    series: [],
    recorded_from: null,
  }
  const now = { ...FIGURES, cost_usd: 4 }
  const answer = { ...ANSWER, total: now, rows: [{ group: [KEY, TEAM], ...now }], previous }
  const [head, line] = toTableCsv(answer, 'cost', ['total_ms_p50']).split('\r\n')
  assert.match(head ?? '', /,cost_usd,share_percent,before,change,change_percent,requests,/)
  assert.match(line ?? '', /,4,100,3,1,33\.3333,3,30,1,120$/)
})

test('a file is named after its question, whatever the dimension is called', () => {
  const { group_by: fields, from, to } = ANSWER
  assert.equal(
    toAnalysisFileName({ measure: 'cost', fields, from, to }),
    'weir-cost-by-api_key-dim_.._team-2026-03-01-to-2026-03-03.csv',
  )
})
