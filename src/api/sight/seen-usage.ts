// The usage store through a sight. Must stay true: every question that is passed on says which
// calls are seen, and what cannot be asked so is refused. It runs wherever the store is asked, also
// in the threads of long questions.

import { DIM_KEY } from '../../core/dims.ts'
import { canSeeCall, sightOfTeam } from '../../core/teams/sight.ts'
import type { CallSight } from '../../core/teams/sight.ts'
import { createFigures } from '../../core/usage-figures.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../../store/usage/analysis.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestFilter } from '../../store/usage/request-log.ts'
import type { SessionQuestion } from '../../store/usage/session-log.ts'
import type {
  SnapshotQuestions,
  UsageQuestion,
  UsageSnapshot,
  UsageStore,
  UsageSum,
} from '../../store/usage/usage-store.ts'
import { onlyWith } from './only-with.ts'
import { notKept, toSeenQuestion, toSeenSums, toTeamGrouping, toTeamSums } from './seen-sums.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** The newest calls, in which the dimensions are looked for that there are. */
const DIMS_OF_CALLS_MAX = 1000

/** Null sees every call. */
export function seeUsage(usage: UsageStore, sight: CallSight | null): UsageStore {
  if (sight === null) return usage
  const see: See = (asked) => {
    return { ...asked, sight: { teams: sight.teams, personId: sight.personId } }
  }
  const { requests } = usage
  return {
    requests: onlyWith({
      list: (filter, page) => requests.list(see(filter), page),
      listSorted: (filter, page) => requests.listSorted(see(filter), page),
      summarize: (filter) => requests.summarize(see(filter)),
      readPrices: (versions) => requests.readPrices(versions),
    }),
    daySpend: onlyWith({}),
    sessions: { read: (question) => usage.sessions.read(see(question)) },
    upkeep: onlyWith({
      readRecords: (filter, page) => usage.upkeep.readRecords(see(filter), page),
    }),
    async sum(question) {
      if (isOfDims(question)) return countDims(usage, see)
      const ofTeam = toTeamGrouping(question, sight)
      if (ofTeam !== null) {
        // Of all teams, the largest may be others'.
        const { largest: _all, ...rest } = question
        return toTeamSums(await usage.sum({ ...rest, grouping: ofTeam }), sight)
      }
      const asked = toSeenQuestion(question)
      if (asked === null) return []
      const [answer] = await usage.analyze([see(asked)])
      if (!isWhole(answer)) throw notKept()
      return toSeenSums(question, answer)
    },
    analyze: (questions) => usage.analyze(questions.map(see)),
    readSnapshot: (asked) => readSeenSnapshot(usage, see, asked),
    async readFirstCallAt() {
      // When the record begins is no secret; the moment of somebody's call may be one.
      const at = await usage.readFirstCallAt()
      return at === null ? null : Math.floor(at / DAY_MS) * DAY_MS
    },
    readCostRevision: () => usage.readCostRevision(),
    async readRecord(id) {
      const record = await usage.readRecord(id)
      return record !== null && canSeeCall(sight, record.event.dims) ? record : null
    },
    readKeyUses: (keyIds) => usage.readKeyUses(keyIds),
  }
}

/** Of all calls of one team. */
export function createTotals(usage: UsageStore): (teamId: string) => UsageStore {
  return (teamId) => seeUsage(usage, sightOfTeam(teamId))
}

type See = <Asked extends RequestFilter | AnalysisQuestion | SessionQuestion>(asked: Asked) => Asked

/** No sums are kept of them: as often as the newest calls carry each. */
async function countDims({ requests }: UsageStore, see: See): Promise<readonly UsageSum[]> {
  const page = { before: null, rowsMax: DIMS_OF_CALLS_MAX }
  const { records } = await requests.list(see(ALL_REQUESTS), page)
  const names = records
    .filter(({ event }) => event.status !== 'denied')
    .flatMap(({ event }) => Object.keys(event.dims).filter((name) => DIM_KEY.test(name)))
  return [...Map.groupBy(names, (name) => name)].map(([label, { length }]) => {
    return { ...createFigures(), label, bucket: null, model: null, requests: length }
  })
}

/** Each analysis that any of them needs is asked once, all of one moment. */
async function readSeenSnapshot(
  usage: UsageStore,
  see: See,
  { questions, spans, analyses = [] }: SnapshotQuestions,
): Promise<UsageSnapshot> {
  const wanted = new Map<string, AnalysisQuestion>()
  const want = (asked: AnalysisQuestion | null): string | null => {
    if (asked === null) return null
    const place = JSON.stringify(asked)
    wanted.set(place, see(asked))
    return place
  }
  const ofSums = questions.map((each) => want(isOfDims(each) ? null : toSeenQuestion(each)))
  const ofSpans = spans.map(({ startMs, endMs }) =>
    want(startMs % HOUR_MS === 0 ? { ...WHOLE, fromMs: startMs, toMs: endMs } : null),
  )
  const ofAnalyses = analyses.map(want)
  const asked = [...wanted.values()]
  const read = await usage.readSnapshot({ questions: [], spans: [], analyses: asked })
  const answers = new Map([...wanted.keys()].map((place, at) => [place, read.analyses[at]]))
  const find = (place: string | null): AnalysisAnswer | null => answers.get(place ?? '') ?? null
  const dims = questions.some(isOfDims) ? await countDims(usage, see) : []
  const unknown: number[] = []
  const sums = questions.map((question, at) => {
    const place = ofSums[at] ?? null
    if (place === null) return isOfDims(question) ? dims : []
    const answer = find(place)
    if (isWhole(answer)) return toSeenSums(question, answer)
    unknown.push(at)
    return []
  })
  const costs = ofSpans.map(find).map((each) => (isWhole(each) ? each.total.cost : null))
  return { sums, unknown, costs, analyses: ofAnalyses.map(find) }
}

const WHOLE = { interval: 'none', groupBy: [], filters: [], hasLatencies: false } as const

function isWhole(answer: AnalysisAnswer | null | undefined): answer is AnalysisAnswer {
  return answer?.completeFromMs === null
}

/** Which dimensions there are. */
function isOfDims({ grouping }: UsageQuestion): boolean {
  return grouping.by === 'dim_key' && grouping.dimKey === undefined
}
