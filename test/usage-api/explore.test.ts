// Explore against the parts it speaks for: the catalogue, the command line, the API's parameters
// and its CSV.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { toUsageCsv } from '../../console/src/pages/explore/explore-csv.ts'
import { toCliLine, toCurlLine } from '../../console/src/pages/explore/explore-lines.ts'
import { choose } from '../../console/src/pages/explore/explore-question.ts'
import { CATALOGUE } from '../../src/api/contract.ts'
import type { UsageRow } from '../../src/api/contract.ts'
import { parseUsageQuery } from '../../src/api/usage/parse-usage-query.ts'
import { toUsageCsv as toServerCsv } from '../../src/cli/usage/usage-figures.ts'
import { usageCommand } from '../../src/cli/usage/usage.ts'
import { parseQuestion } from '../../src/cli/usage/usage-question.ts'

const NOW_MS = Date.parse('2026-03-05T10:00:00.000Z')
const KNOWN = { dimKeys: ['team'], asOf: '2026-03-05T10:00:00.000Z' }
const HOSTILE = `-x'; echo "$HOME" \`id\` \\ %`

const QUESTIONS = CATALOGUE.flatMap(({ metric, dimension, windows }) =>
  windows.map((window) => {
    const choice = { metric, grouping: dimension ?? 'total', window } as const
    const { view: _, ...rest } = choose({}, choice, KNOWN)
    const more = metric === 'cost_usd' ? { api_key: 'svc_k_1' } : {}
    return { ...rest, metric, window, ...more }
  }),
)

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
  const { values } = parseArgs({ args: [...words], options: { ...usageCommand.options } })
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
  const runs = runLines(asked.map((question) => toCliLine(question as never)))
  assert.equal(runs.length, asked.length)
  for (const [place, words] of runs.entries()) {
    const [command, ...options] = words
    assert.equal(command, 'usage')
    assert.deepEqual(readOptions(options), toTexts(asked[place] ?? {}))
  }
})

test('every curl line asks what the page asked, with the token', () => {
  const asked = [...QUESTIONS, { ...QUESTIONS[0], dim_key: HOSTILE }]
  const runs = runLines(asked.map((question) => toCurlLine('http://weir.test', question as never)))
  assert.equal(runs.length, asked.length)
  for (const [place, words] of runs.entries()) {
    const [flag, header, address = ''] = words
    assert.deepEqual([flag, header, words.length], ['-H', 'Authorization: Bearer token', 3])
    const url = new URL(address)
    assert.equal(url.origin + url.pathname, 'http://weir.test/v1/usage')
    assert.deepEqual(Object.fromEntries(url.searchParams), toTexts(asked[place] ?? {}))
  }
})

test('the CSV made in the browser is the one that weir usage prints', () => {
  const signs = ['=1+1', '+1', '-1', '@a', '\ttab', '＝1', 'a;=1;b', 'a\t"@b"', 'a\n -1']
  const labels = ['plain', ...signs, 'a;b', 'a,"b"', 'line\nbreak', "'x"]
  const rows: UsageRow[] = labels.map((label, place) => ({
    label,
    value: [0, 4.2e-7, 1e-9, 1234.5, 7][place % 5] ?? 0,
    bucket: place === 1 ? '2026-03-01' : null,
    model: place === 2 ? '@model' : null,
    requests: place === 2 ? 3 : null,
    tokens: place === 2 ? 1e21 : null,
  }))
  assert.equal(toUsageCsv(rows), toServerCsv({ asOf: '', rows }))
})
