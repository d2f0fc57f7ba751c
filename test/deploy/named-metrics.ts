// What the alert rules and the dashboard of deploy/ ask Prometheus, and which metrics that names.

import { parse } from 'yaml'
import { readDeployed } from './tools.ts'

export interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly type: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly definition?: string }[] }
}

const rules = parse(readDeployed('prometheus/weir-rules.yaml')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[]
}
export const alerts = rules.groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(readDeployed('grafana/weir.json')) as Dashboard
/** Of the dashboard. */
export const queries = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) => expr),
)
export const expressions = [...alerts.map(({ expr }) => expr), ...queries]

interface Named {
  readonly metrics: readonly string[]
  readonly labels: readonly string[]
}

/** What an expression names, and nothing of its functions. */
export function namesIn(expression: string): Named {
  const selectors = [...expression.matchAll(/\{([^}]*)\}/g)].map(([, text = '']) => text)
  const groups = [...expression.matchAll(/\b(?:by|without|on) \(([^)]*)\)/g)].map(
    ([, text = '']) => text,
  )
  const matched = selectors.flatMap((text) => [...text.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)])
  return {
    metrics: [...new Set(expression.match(/\b(?:weir_\w+|up)\b/g) ?? [])],
    labels: [
      ...matched.map(([, label = '']) => label),
      ...groups.flatMap((text) => text.split(',').map((label) => label.trim())),
    ],
  }
}

/** Those of the variables at the top of the dashboard, too. */
export function listNamedMetrics(): string[] {
  const definitions = dashboard.templating.list.flatMap(({ definition = '' }) => definition)
  return [...new Set([...expressions, ...definitions].flatMap((text) => namesIn(text).metrics))]
}
