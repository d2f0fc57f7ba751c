// What the sums of usage answer for all calls, from the analysis of those that are seen: sums are
// kept for all calls and for single keys. Must stay true: rows, figures and labels are those that
// the sums would have if there were no other calls.

import type { CallSight } from '../../core/teams/sight.ts'
import { TEAM_FACT } from '../../core/teams/team.ts'
import { addFigures, createFigures } from '../../core/usage-figures.ts'
import type { UsageFigures } from '../../core/usage-figures.ts'
import { WeirError } from '../../core/weir-error.ts'
import type {
  AnalysisAnswer,
  AnalysisFigures,
  AnalysisQuestion,
  AnalysisSum,
  AnalysisValue,
} from '../../store/usage/analysis.ts'
import type {
  Period,
  UsageGrouping,
  UsageQuestion,
  UsageSum,
} from '../../store/usage/usage-store.ts'

type Grouping = Exclude<UsageGrouping, { readonly by: 'repriced' }>

/** Null for what is not known of single teams: which calls were repriced. */
export function toSeenQuestion({
  period,
  grouping,
  keyId,
}: UsageQuestion): AnalysisQuestion | null {
  if (grouping.by === 'repriced') return null
  const isBucketed = grouping.by === 'bucket' || grouping.by === 'bucket_provider'
  return {
    ...toSpan(period),
    interval: isBucketed ? period.grain : 'none',
    groupBy: toFields(grouping),
    filters: keyId === null ? [] : [{ field: 'api_key', isExcluding: false, values: [keyId] }],
    hasLatencies: false,
  }
}

/** Of one team alone, months are kept among the sums of its fact; null where they are not. */
export function toTeamGrouping(
  { period, grouping, keyId }: UsageQuestion,
  { teams, personId }: CallSight,
): UsageGrouping | null {
  if (period.grain !== 'month' || keyId !== null || personId !== null || teams.length !== 1) {
    return null
  }
  if (grouping.by === 'total') return { by: 'dim', dimKey: TEAM_FACT }
  return grouping.by === 'model' ? { by: 'dim_model', dimKey: TEAM_FACT } : null
}

/** As they are asked for: without the fact, by model or not. */
export function toTeamSums(sums: readonly UsageSum[], { teams }: CallSight): UsageSum[] {
  return sums
    .filter(({ label }) => label === teams[0])
    .map((sum) => ({ ...sum, label: sum.model, model: null }))
}

function toSpan({ grain, from, to }: Period): { readonly fromMs: number; readonly toMs: number } {
  const end = new Date(grain === 'day' ? to : `${to}-01`)
  if (grain === 'day') end.setUTCDate(end.getUTCDate() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  return { fromMs: Date.parse(grain === 'day' ? from : `${from}-01`), toMs: end.getTime() }
}

/** Several are of the same fields, so that they are one question where they are asked together. */
function toFields(grouping: Grouping): AnalysisQuestion['groupBy'] {
  switch (grouping.by) {
    case 'total':
    case 'provider':
    case 'model':
    case 'usage':
      return ['provider', 'model']
    case 'api_key':
      return ['api_key']
    case 'bucket':
      return []
    case 'bucket_provider':
      return ['provider']
    case 'dim':
      return [`dim:${grouping.dimKey}`]
    case 'dim_model':
      return [`dim:${grouping.dimKey}`, 'model']
    case 'dim_key':
      return [`dim:${grouping.dimKey ?? ''}`]
  }
}

export function toSeenSums(
  { period, grouping }: UsageQuestion,
  answer: AnalysisAnswer,
): UsageSum[] {
  const sums = new Map<string, Place & { readonly figures: UsageFigures }>()
  for (const sum of answer.sums) {
    for (const { figures, ...place } of toPlaces(sum, { period, grouping })) {
      // Denied calls are in no sum.
      if (figures.requests === 0) continue
      const key = JSON.stringify(place)
      const known = sums.get(key) ?? { ...place, figures: createFigures() }
      sums.set(key, known)
      addFigures(known.figures, figures)
    }
  }
  return [...sums.values()].map(({ figures, ...place }) => ({ ...place, ...figures }))
}

export function notKept(): WeirError {
  return new WeirError(
    'invalid_parameter',
    'Figures of single teams are known as long as the calls are kept, and some of these are gone.',
    { hint: 'Ask for whole months, or for later days.' },
  )
}

type Place = Pick<UsageSum, 'label' | 'model' | 'bucket'>
type Placed = Place & { readonly figures: UsageFigures }

const NOWHERE: Place = { label: null, model: null, bucket: null }

function toPlaces(
  { bucketMs, groups: [one, other], figures: analyzed }: AnalysisSum,
  { period, grouping }: Pick<UsageQuestion, 'period' | 'grouping'>,
): readonly Placed[] {
  const figures = toUsageFigures(analyzed)
  const at = new Date(bucketMs ?? 0).toISOString().slice(0, period.grain === 'day' ? 10 : 7)
  switch (grouping.by) {
    case 'provider':
      return [{ ...NOWHERE, label: toLabel(one), figures }]
    case 'model':
      return [{ ...NOWHERE, label: toLabel(other), figures }]
    case 'bucket':
      return [{ ...NOWHERE, bucket: at, figures }]
    case 'bucket_provider':
      return [{ ...NOWHERE, label: toLabel(one), bucket: at, figures }]
    case 'usage':
      return toKnown(analyzed)
    case 'api_key':
    case 'dim':
    case 'dim_model': {
      // What has none has no row.
      const model = grouping.by === 'dim_model' ? toLabel(other) : null
      return one?.kind === 'none' ? [] : [{ ...NOWHERE, label: toLabel(one), model, figures }]
    }
    case 'dim_key':
      return one?.kind === 'none' ? [] : [{ ...NOWHERE, label: grouping.dimKey ?? null, figures }]
    case 'total':
    case 'repriced':
      return [{ ...NOWHERE, figures }]
  }
}

/** How usage is known, as far as it is asked for: whether it is estimated. */
function toKnown({ requests, estimated }: AnalysisFigures): readonly Placed[] {
  return [
    { ...NOWHERE, label: 'estimated', figures: { ...createFigures(), requests: estimated } },
    {
      ...NOWHERE,
      label: 'reported',
      figures: { ...createFigures(), requests: requests - estimated },
    },
  ]
}

function toLabel(value: AnalysisValue | undefined): string | null {
  if (value?.kind === 'value') return value.value
  return value?.kind === 'other' ? 'other' : null
}

function toUsageFigures(figures: AnalysisFigures): UsageFigures {
  const { cost, marketCost, requests, unpriced, inputTokens, outputTokens } = figures
  return { cost, marketCost, requests, unpriced, tokens: inputTokens + outputTokens }
}
