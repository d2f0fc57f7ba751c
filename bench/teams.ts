// What the pages of teams cost in a company of 400 teams, 3,000 people and 10,000 keys with ten
// million calls of two years, through HTTP: (a) a team's page, the list of teams, and Explore of a
// lead, question by question; (b) the questions of the catalogue by a token that is limited to a
// team, against one of the company. Every answer is worked out. Filling takes half an hour:
// `--tenth` stores the last three months alone, as full as they are, of which all but the figures
// of two years are the same; `--keep DIR` keeps the filled store for other runs of the same day.

import { systemClock } from '../src/core/clock.ts'
import { openSettingsStore } from '../src/store/open-store.ts'
import type { BackendOptions } from '../src/store/open-store.ts'
import { createRandom } from '../test/torture/random.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { isTenth, readStore } from './harness/options.ts'
import { readTreeCpuMicros, watchOthers } from './harness/process-figures.ts'
import { formatQuantiles, quantile } from './harness/quantile.ts'
import { atMost, printTable } from './harness/report.ts'
import { openAsker } from './query/asker.ts'
import { openFilledWeir } from './query/filled-weir.ts'
import type { FilledWeir } from './query/filled-weir.ts'
import { LIMITS, listCatalogue } from './query/questions.ts'
import { listQuestions } from './teams/questions.ts'
import type { AskedTeam, TeamQuestion } from './teams/questions.ts'

const TIMES = isTenth ? 20 : 100
const CATALOGUE_TIMES = 10
const WARM_UP = 5
const PAGE_MS_MAX = 300
const RATIO_MAX = 1.2
const SEED = 20_261_118
const DAY_MS = 86_400_000
const SCOPES = ['read:usage', 'read:keys', 'read:requests'] as const

interface Measured {
  readonly question: TeamQuestion
  readonly ms: readonly number[]
  /** Of the API and the servers, a question. */
  readonly cpuMs: number
}

await runBenchmark(async (open) => {
  const months = isTenth ? { months: 3 } : {}
  const filled = await openFilledWeir(open, {
    store: readStore(),
    isFull: true,
    hasTeams: true,
    ...months,
  })
  const teams = await openTeams(filled.where)
  const measure = createMeasure(filled, teams)
  const readOthers = watchOthers()
  const pages: Measured[] = []
  for (const [page, questions] of Map.groupBy(listQuestions(teams), (each) => each.page)) {
    const own: Measured[] = []
    for (const question of questions) own.push(await measure(question))
    print(`(a) ${page}, milliseconds`, own)
    pages.push(...own)
  }
  const usage = await measureCatalogue(filled, measure)
  print('(b) /v1/usage, milliseconds', usage)
  console.log(`  others had ${readOthers().toFixed(2)} of the cores meanwhile`)
  const ratios = usage.flatMap(({ question: { name, who }, cpuMs }) => {
    const company = usage.find((each) => each.question.name === name)
    return who === 'token' ? cpuMs / (company?.cpuMs ?? Number.NaN) : []
  })
  const byPage = Map.groupBy(pages, ({ question }) => question.page)
  return [
    ...Array.from(byPage, ([page, all]) => {
      const worst = Math.max(...all.map(({ ms }) => quantile(ms, 0.99)))
      return atMost(`(a) ${page}, the slowest question, p99`, worst, {
        limit: PAGE_MS_MAX,
        unit: 'ms',
        digits: 0,
      })
    }),
    atMost(
      '(b) /v1/usage of a team, CPU against the company, middle question',
      quantile(ratios, 0.5),
      {
        limit: RATIO_MAX,
        unit: '×',
      },
    ),
  ]
})

/** In the order in which they were made. Every team has a lead. */
async function openTeams(where: BackendOptions): Promise<readonly AskedTeam[]> {
  const settings = await openSettingsStore(where)
  const keys = Map.groupBy(await settings.keys.list(), ({ teamId }) => teamId)
  const teams = await settings.teams.list()
  const expiresAt = systemClock.now() + DAY_MS
  const createToken = async (teamId: string | null): Promise<string> => {
    const made = { name: 'bench', scopes: SCOPES, teamId, expiresAt: null }
    return `authorization: Bearer ${(await settings.tokens.create(made)).credential}`
  }
  const opened: AskedTeam[] = []
  for (const [number, { id }] of teams.entries()) {
    const [lead] = await settings.teams.listMembers(id)
    const session = { userId: lead?.userId ?? '', expiresAt, agent: null, address: null }
    const { credential } = await settings.sessions.create(session)
    const cookie = `cookie: weir_session=${credential}`
    const [token, company] = [await createToken(id), await createToken(null)]
    const keyIds = (keys.get(id) ?? []).map((key) => key.id)
    opened.push({ number, id, keyIds, headers: { lead: cookie, token, company } })
  }
  await settings.close()
  return opened
}

type Measure = (question: TeamQuestion, times?: number) => Promise<Measured>

/** Each time of another team: the same question of the same team is kept for a minute. */
function createMeasure({ weir, processes }: FilledWeir, teams: readonly AskedTeam[]): Measure {
  let asked = 0
  return async (question, times = TIMES) => {
    let team = teams[0] as AskedTeam
    const api = weir.program.addresses.api
    const asker = await openAsker(api, () => team.headers[question.who])
    const readCpu = (): number =>
      processes.reduce((sum, { pid }) => sum + readTreeCpuMicros(pid), 0)
    const ms: number[] = []
    let cpuMicros = 0
    while (ms.length < WARM_UP + times) {
      team = teams[(asked += 1) % teams.length] as AskedTeam
      const target = await question.draw(team)
      if (ms.length === WARM_UP) cpuMicros = readCpu()
      ms.push((await asker.ask(target)).ms)
    }
    const cpuMs = (readCpu() - cpuMicros) / 1000 / times
    await asker.close()
    return { question, ms: ms.slice(WARM_UP), cpuMs }
  }
}

/** No earlier answer is valid behind a line in the list of repricings. */
async function measureCatalogue(
  { usage, where }: FilledWeir,
  measure: Measure,
): Promise<readonly Measured[]> {
  // Budgets would be counted again behind each.
  const settings = await openSettingsStore(where)
  for (const { id } of await settings.budgets.list()) await settings.budgets.remove(id)
  await settings.close()
  const random = createRandom(SEED)
  const measured: Measured[] = []
  for (const { name, limit, draw } of listCatalogue()) {
    // Its keys are others.
    if (limit === LIMITS[1] || name.includes('one key')) continue
    for (const who of ['company', 'token'] as const) {
      const drawNew = async (): Promise<string> => {
        const line = { repricing: null, at: Date.now(), who: 'bench', what: 'nothing', prices: [] }
        await usage.upkeep.changeCosts([], line)
        return draw(random)
      }
      const question = { page: '/v1/usage', name, who, draw: drawNew }
      measured.push(await measure(question, CATALOGUE_TIMES))
    }
  }
  return measured
}

function print(title: string, measured: readonly Measured[]): void {
  printTable(title, [
    ['', 'who', 'p50', 'p99', 'CPU ms'],
    ...measured.map(({ question: { name, who }, ms, cpuMs }) => [
      name,
      who,
      ...formatQuantiles(ms, [0.5, 0.99], 0),
      cpuMs.toFixed(1),
    ]),
  ])
}
