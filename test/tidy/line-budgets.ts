// How many lines each room may have outside its tests: mass is a cost that every reader pays. A
// room that needs more takes it from another one, or its new figure has a line in the decisions
// that says why. A room that became lighter gets a lower figure.

import { isTest } from './checkout.ts'
import type { Checkout, Fault } from './checkout.ts'

export const LINE_BUDGETS: Readonly<Record<string, number>> = {
  'src/accounts': 540,
  'src/alerts': 1410,
  'src/api': 20_310,
  'src/app': 5560,
  'src/backup': 900,
  'src/cli': 7660,
  'src/config': 2570,
  'src/core': 3100,
  'src/doctor': 600,
  'src/estimates': 700,
  'src/journal': 2500,
  'src/ledger': 3110,
  'src/limits': 2750,
  'src/policy': 1550,
  'src/pricing': 5470,
  'src/providers': 10_390,
  'src/proxy': 4740,
  'src/resources': 1250,
  'src/store': 22_720,
  'src/telemetry': 500,
  'src/wire': 4950,
  bench: 4560,
  console: 27_130,
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
