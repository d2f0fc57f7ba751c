// Every place that says what this month came to, in all or by group, and how each is read: the API,
// the command line, files, agents and the console's pages. Must stay true: a place that is added
// with a figure of the month has a line here.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type {
  Analysis,
  KeyPage,
  KeySpend,
  Overview,
  RequestPageAnswer,
  RequestSummaryAnswer,
  UsageEnvelope,
} from '../../src/api/contract.ts'
import { parseCsv } from '../exports/parse-csv.ts'
import { runMain } from '../fakes/command-line.ts'
import { callTool, openMcpClient } from '../fakes/peers/mcp-client.ts'
import { openPage } from './open-scene.ts'

export const GROUPINGS = ['total', 'model', 'api_key', 'dim:team'] as const
export type Grouping = (typeof GROUPINGS)[number]
export type Measure = 'cost' | 'requests' | 'tokens' | 'denials'
export type Sum = Readonly<Record<Measure, number>>
/** By group; the total is under `total`. What is nothing may be left out. */
export type Figures = Readonly<Record<string, Partial<Sum>>>

export interface Place {
  readonly name: string
  readonly by: readonly Grouping[]
  readonly has: readonly Measure[]
  /** One answer has all its measures. */
  readonly isWhole?: true
  readonly read: (by: Grouping, measure: Measure) => Promise<Figures>
}

export interface PlacesOptions {
  readonly page: Page
  readonly url: string
  readonly token: string
  /** `2026-11` */
  readonly month: string
  /** The groups that a place is asked for one by one. */
  readonly groups: (by: Grouping) => readonly string[]
}

const GROUPS = ['model', 'api_key', 'dim:team'] as const
const ALL = ['cost', 'requests', 'tokens', 'denials'] as const
const COST = ['cost'] as const

export function listPlaces(options: PlacesOptions): readonly Place[] {
  const agent = askAgent(options)
  return [
    ...listUsage('/v1/usage', (question) => askApi(options, '/v1/usage', question)),
    ...listUsage('weir usage', (question) => askCommand(options, ['usage', ...toWords(question)])),
    ...listUsage('query_usage of MCP', (question) => agent('query_usage', question)),
    {
      name: '/v1/analysis',
      by: GROUPINGS,
      has: ALL,
      isWhole: true,
      read: async (by) => ofAnalysis(by, await askApi(options, '/v1/analysis', toGroupBy(by))),
    },
    {
      name: 'weir analyze',
      by: GROUPINGS,
      has: ALL,
      isWhole: true,
      read: async (by) =>
        ofAnalysis(by, await askCommand(options, ['analyze', ...toWords(toGroupBy(by))])),
    },
    {
      name: 'analyze_usage of MCP',
      by: GROUPINGS,
      has: ALL,
      isWhole: true,
      read: async (by) =>
        ofAnalysis(by, await agent('analyze_usage', by === 'total' ? {} : { group_by: [by] })),
    },
    {
      name: 'weir analyze --csv',
      by: GROUPS,
      has: ['cost', 'requests', 'tokens'],
      isWhole: true,
      read: (by) => readCsv(options, by),
    },
    ...listOverview(options),
    ...listCalls(options, agent),
    ...listFiles(options),
    ...listKeys(options),
    ...listExplore(options),
  ]
}

type Question = Readonly<Record<string, string>>
type Ask = <Answer>(question: Question) => Promise<Answer>

export async function askApi<Answer>(
  options: PlacesOptions,
  path: string,
  question: Question = {},
): Promise<Answer> {
  return (await fetchFrom(options, path, question)).json() as Promise<Answer>
}

async function fetchFrom(
  { url, token }: PlacesOptions,
  path: string,
  question: Question,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` }
  const search = new URLSearchParams(question).toString()
  const response = await fetch(`${url}${path}?${search}`, { headers })
  assert.equal(response.status, 200, `${path}?${search}`)
  return response
}

export function toWords(question: Question): readonly string[] {
  const words = Object.entries(question)
  return words.flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value])
}

async function run({ url, token }: PlacesOptions, words: readonly string[]): Promise<string> {
  process.env['WEIR_TOKEN'] = token
  const { code, out, err } = await runMain([...words, '--url', url], { nowMs: Date.now() })
  delete process.env['WEIR_TOKEN']
  assert.equal(code, 0, err)
  return out
}

export async function askCommand<Answer>(
  options: PlacesOptions,
  words: readonly string[],
): Promise<Answer> {
  return JSON.parse(await run(options, [...words, '--json'])) as Answer
}

export function askAgent({ url, token }: PlacesOptions) {
  return async <Answer>(tool: string, given: Record<string, unknown>): Promise<Answer> => {
    const client = await openMcpClient({ url, authorization: `Bearer ${token}` })
    const { isError, structured, text } = await callTool(client, tool, given)
    await client.close()
    assert.equal(isError, false, text)
    return structured as Answer
  }
}

function listUsage(name: string, ask: Ask): readonly Place[] {
  const read: Place['read'] = async (by, measure) => {
    const metric = measure === 'cost' ? 'cost_usd' : measure
    const isDim = by === 'dim:team'
    const group = { dimension: isDim ? 'dim' : by, ...(isDim && { dim_key: 'team' }), limit: '20' }
    const window = { metric, window: 'month_to_date' }
    const { rows } = await ask<UsageEnvelope>(by === 'total' ? window : { ...window, ...group })
    return Object.fromEntries(rows.map(({ label, value }) => [label, { [measure]: value }]))
  }
  return [
    { name, by: ['total'], has: ['cost', 'requests', 'tokens'], read },
    { name, by: GROUPS, has: COST, read },
  ]
}

function toGroupBy(by: Grouping): Question {
  return by === 'total' ? {} : { group_by: by }
}

function ofAnalysis(by: Grouping, { total, rows }: Analysis): Figures {
  const figures = by === 'total' ? [['total', total] as const] : rows.map(toNamed)
  return Object.fromEntries(
    figures.map(([name, { cost_usd: cost, requests, tokens, denials }]) => [
      name,
      { cost, requests, tokens, denials },
    ]),
  )
}

function toNamed(row: Analysis['rows'][number]) {
  return [row.group[0]?.value ?? '', row] as const
}

async function readCsv(options: PlacesOptions, by: Grouping): Promise<Figures> {
  const text = await run(options, ['analyze', '--group-by', by, '--csv'])
  const { rows } = parseCsv(`${text}\r\n`)
  return Object.fromEntries(
    rows.map((row) => {
      const [cost = 0, requests = 0, tokens = 0] = ['cost_usd', 'requests', 'tokens'].map((name) =>
        Number(row[name]),
      )
      return [row[by], { cost, requests, tokens }]
    }),
  )
}

function listOverview(options: PlacesOptions): readonly Place[] {
  const { page } = options
  return [
    {
      name: '/v1/overview',
      by: ['total'],
      has: ['cost', 'requests', 'tokens'],
      isWhole: true,
      read: async () => {
        const { figures } = await askApi<Overview>(options, '/v1/overview', {})
        const { month_to_date_usd: cost, requests_month_to_date: requests } = figures
        return { total: { cost, requests, tokens: figures.tokens_month_to_date } }
      },
    },
    {
      name: '/v1/overview',
      by: GROUPS,
      has: COST,
      isWhole: true,
      read: async (by) => {
        const { breakdown } = await askApi<Overview>(options, '/v1/overview', toGroupBy(by))
        const rows = breakdown?.rows ?? []
        return Object.fromEntries(
          rows.map(({ group, cost_usd: cost }) => [group.value ?? '', { cost: cost ?? 0 }]),
        )
      },
    },
    {
      name: 'Overview',
      by: ['total'],
      has: ['cost', 'requests', 'tokens'],
      read: async (_by, measure) => {
        const name = measure === 'cost' ? 'month' : `${measure}-month`
        if (new URL(page.url()).pathname !== '/') await openPage(page, '/')
        return { total: { [measure]: await readFigure(page, name) } }
      },
    },
    {
      name: 'Overview',
      by: GROUPS,
      has: COST,
      read: async (by) => {
        await openPage(page, `/?group_by=${by}`)
        return readRows(page.getByRole('list', { name: /^This month by/ }), 'cost')
      },
    },
  ]
}

async function readFigure(page: Page, name: string): Promise<number> {
  const figure = page.locator(`[data-figure="${name}"][data-value]`)
  return Number(await figure.getAttribute('data-value'))
}

export interface Marked {
  readonly dataset: { readonly [name: string]: string | undefined }
}

async function readRows(within: Locator, measure: Measure): Promise<Figures> {
  const rows = await within
    .locator('[data-figure="row"]')
    .evaluateAll((all) =>
      (all as unknown as readonly Marked[]).map(({ dataset: { label = '', value } }) => [
        label,
        Number(value),
      ]),
    )
  return Object.fromEntries(rows.map(([label, value]) => [label, { [measure]: value }])) as Figures
}

const SUMMED = ['cost', 'requests', 'denials'] as const

/** Single calls, and what those of a filter come to. */
function listCalls(options: PlacesOptions, agent: ReturnType<typeof askAgent>): readonly Place[] {
  const { groups, month } = options
  const [from, limit] = [`${month}-01`, '1000']
  return [
    {
      name: '/v1/requests/summary',
      by: GROUPINGS,
      has: SUMMED,
      isWhole: true,
      read: async (by) => {
        const all = groups(by).map(async (group): Promise<[string, Partial<Sum>]> => {
          const filter = { from, ...toFilter(by, group) }
          const path = '/v1/requests/summary'
          const sum = await askApi<RequestSummaryAnswer>(options, path, filter)
          const { requests, denied: denials } = sum
          return [group, { cost: Number(sum.cost_usd), requests, denials }]
        })
        return Object.fromEntries(await Promise.all(all))
      },
    },
    {
      name: 'weir requests',
      by: GROUPINGS,
      has: ALL,
      isWhole: true,
      read: async (by) => {
        const out = await run(options, ['requests', '--from', from, '--limit', limit, '--json'])
        const rows = out.split('\n').map((line) => JSON.parse(line) as CallRow)
        return sumCalls(by, rows)
      },
    },
    {
      name: 'list_requests of MCP',
      by: GROUPINGS,
      has: ALL,
      isWhole: true,
      read: async (by) =>
        sumCalls(by, (await agent<RequestPageAnswer>('list_requests', { from, limit: 1000 })).rows),
    },
  ]
}

/** Of the log. */
export function toFilter(by: Grouping, group: string): Question {
  if (by === 'total') return {}
  return by === 'dim:team' ? { dim_key: 'team', dim_value: group } : { [by]: group }
}

type CallRow = Pick<
  RequestPageAnswer['rows'][number],
  'model' | 'api_key' | 'dims' | 'status' | 'cost_usd' | 'input_tokens' | 'output_tokens'
>

function sumCalls(by: Grouping, rows: readonly CallRow[]): Figures {
  const groupOf = (row: CallRow): string | null | undefined => {
    if (by === 'total') return 'total'
    if (by === 'model') return row.model
    return by === 'api_key' ? row.api_key : row.dims['team']
  }
  return addUp(
    rows.map((row) => ({
      group: groupOf(row) ?? '',
      isDenied: row.status === 'denied',
      cost: Number(row.cost_usd ?? 0),
      tokens: (row.input_tokens ?? 0) + (row.output_tokens ?? 0),
    })),
  )
}

/** Of single calls, and of charges: these have a cost alone. */
function listFiles(options: PlacesOptions): readonly Place[] {
  const { month } = options
  const read = async (file: string, question: Question) =>
    parseCsv(await (await fetchFrom(options, `/v1/exports/${file}`, question)).text()).rows
  const calls = [
    ['usage.csv', { month }],
    ['requests.csv', { from: `${month}-01` }],
  ] as const
  return [
    ...calls.map(([name, question]) => ({
      name,
      by: GROUPINGS,
      has: ALL,
      isWhole: true as const,
      read: async (by: Grouping) => sumCalls(by, (await read(name, question)).map(toCallRow)),
    })),
    ...['call', 'daily'].map((granularity) => ({
      name: `focus.csv by ${granularity}`,
      by: ['total'] as const,
      has: COST,
      read: async () => {
        const rows = await read('focus.csv', { month, granularity })
        const cost = rows.reduce((sum, row) => sum + Number(row['BilledCost']), 0)
        return { total: { cost } }
      },
    })),
  ]
}

function toCallRow(row: Readonly<Record<string, string>>): CallRow {
  const { model = '', api_key: key = '', dims = '{}', status, cost_usd: cost = '' } = row
  const count = (name: string): number => Number(row[name] ?? 0)
  return {
    model: model === '' ? null : model,
    api_key: key === '' ? null : key,
    dims: JSON.parse(dims) as CallRow['dims'],
    status: status as CallRow['status'],
    cost_usd: cost === '' ? null : cost,
    input_tokens: count('input_tokens'),
    output_tokens: count('output_tokens'),
  }
}

export interface SummedCall {
  readonly group: string
  readonly isDenied: boolean
  readonly cost: number
  readonly tokens: number
}

/** Denied calls are in no other figure. */
export function addUp(calls: readonly SummedCall[]): Readonly<Record<string, Sum>> {
  const sums: Record<string, Sum> = {}
  for (const { group, isDenied, cost, tokens } of calls) {
    const sum = sums[group] ?? { cost: 0, requests: 0, tokens: 0, denials: 0 }
    sums[group] = isDenied
      ? { ...sum, denials: sum.denials + 1 }
      : {
          ...sum,
          cost: sum.cost + cost,
          requests: sum.requests + 1,
          tokens: sum.tokens + tokens,
        }
  }
  return sums
}

function listKeys(options: PlacesOptions): readonly Place[] {
  const { page, groups } = options
  return [
    {
      name: '/v1/keys',
      by: ['api_key'],
      has: COST,
      read: async () => {
        const { rows } = await askApi<KeyPage>(options, '/v1/keys', {})
        return Object.fromEntries(rows.map(({ id, spent_usd: cost }) => [id, { cost: cost ?? 0 }]))
      },
    },
    {
      name: '/v1/keys/{id}/spend',
      by: ['api_key'],
      has: COST,
      read: async () => {
        const all = groups('api_key').map(async (id): Promise<[string, Partial<Sum>]> => {
          const { month_to_date_usd: cost } = await askApi<KeySpend>(
            options,
            `/v1/keys/${id}/spend`,
          )
          return [id, { cost }]
        })
        return Object.fromEntries(await Promise.all(all))
      },
    },
    {
      name: 'the page of a key',
      by: ['api_key'],
      has: COST,
      read: async () => {
        const spent: Record<string, Partial<Sum>> = {}
        for (const id of groups('api_key')) {
          await openPage(page, `/keys/${id}`)
          spent[id] = { cost: await readFigure(page, 'month') }
        }
        return spent
      },
    },
  ]
}

function listExplore({ page }: PlacesOptions): readonly Place[] {
  const open = (by: Grouping, measure: Measure): Promise<void> => {
    const search = new URLSearchParams({ ...toGroupBy(by), order_by: measure, interval: 'none' })
    return openPage(page, `/explore?range=this_month&${search.toString()}`)
  }
  return [
    {
      name: 'Explore',
      by: ['total'],
      has: ['cost', 'requests', 'tokens'],
      read: async (by, measure) => {
        if (new URL(page.url()).pathname !== '/explore') await open(by, 'cost')
        const name = `total-${measure === 'cost' ? 'cost_usd' : measure}`
        return { total: { [measure]: await readFigure(page, name) } }
      },
    },
    {
      name: 'Explore',
      by: GROUPS,
      has: ALL,
      read: async (by, measure) => {
        await open(by, measure)
        return readRows(page.getByRole('table').filter({ hasText: 'Share' }), measure)
      },
    },
  ]
}
