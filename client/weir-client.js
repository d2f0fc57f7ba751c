// The client of Weir's API: Node 18 and newer, Deno, Bun, browsers. It needs nothing but fetch; its types are
// generated (scripts/generate-client.ts).

import { ask, readJson, toConnection, toReader } from './connection.js'
import { PATHS } from './contract.js'

export { WeirApiError } from './connection.js'
export { API_ERROR_CODES, CATALOGUE } from './contract.js'

export function createWeirClient(options) {
  const connection = toConnection(options)
  const read = (path, query, settings = {}) =>
    ask(connection, { path, query, signal: settings.signal, take: readJson })
  const stream = (path, query, settings = {}) =>
    ask(connection, { path, query, signal: settings.signal, take: toReader(path) })
  const requests = (query = {}, settings = {}) => read(PATHS.requests, query, settings)

  async function* allRequests(query = {}, settings = {}) {
    let { cursor } = query
    do {
      const page = await requests({ ...query, cursor }, settings)
      yield* page.rows
      // Only null is the end: a page without rows may have a next one.
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  const toPath = (path, id) => path.replace('{id}', () => encodeURIComponent(id))
  const readOne = (path, id, settings) => read(toPath(path, id), {}, settings)

  return {
    usage: (query, settings) => read(PATHS.usage, query, settings),
    breakdown: (query, settings) => read(PATHS.breakdown, query, settings),
    analysis: (query = {}, settings = {}) => read(PATHS.analysis, query, settings),
    overview: (query = {}, settings = {}) => read(PATHS.overview, query, settings),
    requests,
    allRequests,
    requestSummary: (query = {}, settings = {}) => read(PATHS.requestSummary, query, settings),
    request: (id, settings) => readOne(PATHS.request, id, settings),
    completeness: (settings) => read(PATHS.completeness, {}, settings),
    views: (settings) => read(PATHS.views, {}, settings),
    budgets: (settings) => read(PATHS.budgets, {}, settings),
    budget: (id, settings) => readOne(PATHS.budget, id, settings),
    budgetPeriods: (id, query = {}, settings = {}) =>
      read(toPath(PATHS.budgetPeriods, id), query, settings),
    budgetMembers: (id, query = {}, settings = {}) =>
      read(toPath(PATHS.budgetMembers, id), query, settings),
    nearestMembers: (query = {}, settings = {}) => read(PATHS.nearestMembers, query, settings),
    asks: (query = {}, settings = {}) => read(PATHS.asks, query, settings),
    alerts: (query = {}, settings = {}) => read(PATHS.alerts, query, settings),
    incidents: (settings) => read(PATHS.incidents, {}, settings),
    targets: (settings) => read(PATHS.targets, {}, settings),
    keys: (query = {}, settings = {}) => read(PATHS.keys, query, settings),
    key: (id, settings) => readOne(PATHS.key, id, settings),
    checkKey: (question, settings = {}) =>
      ask(connection, {
        path: PATHS.checkKey,
        query: {},
        body: question,
        signal: settings.signal,
        take: readJson,
      }),
    teams: (query = {}, settings = {}) => read(PATHS.teams, query, settings),
    team: (id, settings) => readOne(PATHS.team, id, settings),
    teamMembers: (id, settings) => readOne(PATHS.teamMembers, id, settings),
    tokens: (settings) => read(PATHS.tokens, {}, settings),
    users: (settings) => read(PATHS.users, {}, settings),
    prices: (query = {}, settings = {}) => read(PATHS.prices, query, settings),
    priceHistory: (query, settings) => read(PATHS.priceHistory, query, settings),
    priceRules: (settings) => read(PATHS.priceRules, {}, settings),
    missingPrices: (settings) => read(PATHS.missingPrices, {}, settings),
    info: (settings) => read(PATHS.info, {}, settings),
    exportUsage: (query, settings) => stream(PATHS.exportUsage, query, settings),
    exportFocus: (query, settings) => stream(PATHS.exportFocus, query, settings),
    exportRequests: (query = {}, settings = {}) => stream(PATHS.exportRequests, query, settings),
    exportRequestLines: (query = {}, settings = {}) =>
      stream(PATHS.exportRequestLines, query, settings),
  }
}
