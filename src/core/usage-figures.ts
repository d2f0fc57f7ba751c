// The figures of a sum of calls: the store's columns, the API's metrics and the labels of the
// console and the command line come from it. It imports nothing: the console is built with it.

interface FigureKind {
  /** Money is an exact integer of 1e-12 USD. */
  readonly kind: 'money' | 'count'
  readonly metric: string
  readonly label: string
}

export const USAGE_FIGURES = {
  cost: { kind: 'money', metric: 'cost_usd', label: 'Cost' },
  /** At list price: as the provider states it, else what the call cost. */
  marketCost: { kind: 'money', metric: 'market_cost_usd', label: 'List price' },
  requests: { kind: 'count', metric: 'requests', label: 'Requests' },
  tokens: { kind: 'count', metric: 'tokens', label: 'Tokens' },
  /** How many of the requests have no known cost: `cost` is too low by theirs. */
  unpriced: { kind: 'count', metric: 'unpriced_requests', label: 'Unpriced requests' },
} as const satisfies Readonly<Record<string, FigureKind>>

export type FigureName = keyof typeof USAGE_FIGURES

type OfKind<Kind extends FigureKind['kind']> = {
  [Name in FigureName]: (typeof USAGE_FIGURES)[Name]['kind'] extends Kind ? Name : never
}[FigureName]

export type MoneyFigure = OfKind<'money'>
export type CountFigure = OfKind<'count'>

export type UsageFigures = Record<MoneyFigure, bigint> & Record<CountFigure, number>

export const FIGURE_NAMES = Object.keys(USAGE_FIGURES) as readonly FigureName[]
export const MONEY_FIGURES = FIGURE_NAMES.filter(isMoneyFigure)
export const COUNT_FIGURES = FIGURE_NAMES.filter(
  (name): name is CountFigure => !isMoneyFigure(name),
)

export function isMoneyFigure(name: FigureName): name is MoneyFigure {
  return USAGE_FIGURES[name].kind === 'money'
}

export type FigureMetric = (typeof USAGE_FIGURES)[FigureName]['metric']

const BY_METRIC = new Map<string, FigureName>(
  FIGURE_NAMES.map((name) => [USAGE_FIGURES[name].metric, name]),
)

export function figureOf(metric: FigureMetric): FigureName {
  return BY_METRIC.get(metric) as FigureName
}

export function isMoneyMetric(metric: FigureMetric): boolean {
  return isMoneyFigure(figureOf(metric))
}

export function labelOf(metric: FigureMetric): string {
  return USAGE_FIGURES[figureOf(metric)].label
}

const NO_FIGURES = Object.fromEntries(
  FIGURE_NAMES.map((name) => [name, isMoneyFigure(name) ? 0n : 0]),
) as UsageFigures

export function createFigures(): UsageFigures {
  return { ...NO_FIGURES }
}

export function addFigures(sum: UsageFigures, figures: UsageFigures): void {
  // Adding big integers costs, and most changes leave some of them as they are.
  for (const name of MONEY_FIGURES) if (figures[name] !== 0n) sum[name] += figures[name]
  for (const name of COUNT_FIGURES) sum[name] += figures[name]
}

export function subtractFigures(from: UsageFigures, figures: UsageFigures): UsageFigures {
  const rest = { ...from }
  for (const name of MONEY_FIGURES) rest[name] -= figures[name]
  for (const name of COUNT_FIGURES) rest[name] -= figures[name]
  return rest
}
