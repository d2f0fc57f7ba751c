// How many lines each room may have outside its tests: mass is a cost that every reader pays. A
// room that needs more takes it from another one, or its new figure has a line in the decisions
// that says why. A room that became lighter gets a lower figure.

import { isTest } from './checkout.ts'
import type { Checkout, Fault } from './checkout.ts'

export const LINE_BUDGETS: Readonly<Record<string, number>> = {
  'src/accounts': 540,
  'src/agents': 440,
  'src/alerts': 1560,
  'src/api': 22_740,
  'src/app': 5760,
  'src/backup': 900,
  'src/cli': 8320,
  'src/config': 2680,
  'src/core': 3300,
  'src/doctor': 600,
  'src/estimates': 700,
  'src/journal': 2500,
  'src/ledger': 3180,
  'src/limits': 2780,
  'src/policy': 1570,
  'src/pricing': 5480,
  'src/providers': 10_410,
  'src/proxy': 5300,
  'src/resources': 1290,
  'src/store': 23_680,
  'src/telemetry': 500,
  'src/wire': 4950,
  bench: 5080,
  console: 28_180,
}

export function checkLineBudgets(
  checkout: Checkout,
  budgets: Readonly<Record<string, number>>,
): Fault[] {
  const lines = new Map<string, number>()
  for (const file of checkout) {
    if (isTest(file) || !/\.(?:tsx?|css)$/.test(file.path)) continue
    const room = /^(?:src\/[^/]+|bench|console)(?=\/)/.exec(file.path)?.[0]
    if (room === undefined) continue
    lines.set(room, (lines.get(room) ?? 0) + file.text.split('\n').length - 1)
  }
  return [...lines].flatMap(([room, count]) => {
    const budget = budgets[room]
    if (budget === undefined) return [`${room} has no line budget (test/tidy/line-budgets.ts)`]
    return count > budget ? [`${room} has ${count} lines, and may have ${budget}`] : []
  })
}
