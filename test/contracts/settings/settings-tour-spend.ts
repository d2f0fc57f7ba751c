// The part of the tour that is about money: budgets, whom alerts go to, and prices.

import type { NewPriceRule } from '../../../src/core/price-rule.ts'
import { createAlert, PLAIN_BUDGET, START_MS } from '../settings-scene.ts'
import { START } from './settings-tour-step.ts'
import type { TourStep, TourTools } from './settings-tour-step.ts'

export const RULE: NewPriceRule = {
  provider: 'acme',
  model: 'big-*',
  tier: null,
  effectiveFrom: START_MS,
  price: { kind: 'rates', rates: { input: '1.25' } },
  note: 'contract 7',
}

const SLACK = 'https://hooks.slack.com/services/T00/B00/slacksecret'
const HOOK = 'https://user:hooksecret@example.com:8443/path/pathsecret?token=querysecret'

export function budgetSteps({ secrets, idOf, keep }: TourTools): TourStep[] {
  const facts = {
    scope: 'global',
    period: 'month',
    limit_usd: '100',
    each: 'none',
    thresholds: PLAIN_BUDGET.thresholds,
  }
  const after = Object.entries({ name: 'everything', ...facts }).map(
    ([name, value]) => [name, { after: value }] as const,
  )
  return [
    {
      change: async ({ budgets }) => keep('budget', (await budgets.create(PLAIN_BUDGET)).id),
      action: 'budget.create',
      subjectName: 'everything',
      changes: Object.fromEntries(after),
    },
    {
      change: async ({ budgets }) => {
        const change = { ...PLAIN_BUDGET, limit: 1n, isBlocking: true, name: 'all' }
        return (await budgets.update(idOf('budget'), change))?.id ?? null
      },
      action: 'budget.update',
      subjectName: 'all',
      changes: {
        name: { before: 'everything', after: 'all' },
        limit_usd: { before: '100', after: '0.000000000001' },
        blocking: { before: false, after: true },
      },
    },
    {
      change: async ({ targets }) => {
        const [target] = await targets.createAll(
          [{ kind: 'webhook', address: HOOK }],
          idOf('budget'),
        )
        secrets.add(target?.secret ?? '')
        return keep('hook', target?.id ?? '')
      },
      action: 'target.create',
      subjectName: 'https://example.com:8443/…',
      get changes() {
        const address = { after: 'https://example.com:8443/…' }
        return { kind: { after: 'webhook' }, address, budget_id: { after: idOf('budget') } }
      },
    },
    {
      change: async ({ budgets }) => (await budgets.remove(idOf('budget')))?.id ?? null,
      action: 'budget.delete',
      subjectName: 'all',
      get changes() {
        const hook = { id: idOf('hook'), kind: 'webhook', address: 'https://example.com:8443/…' }
        const left = { ...facts, name: 'all', limit_usd: '0.000000000001', blocking: true }
        const before = Object.entries({ ...left, targets: [hook] })
        return Object.fromEntries(before.map(([name, value]) => [name, { before: value }]))
      },
    },
  ]
}

export function targetSteps({ idOf, keep }: TourTools): TourStep[] {
  const subjectName = 'https://hooks.slack.com/…'
  const slack = { kind: 'slack', address: SLACK, budgetId: null } as const
  return [
    {
      change: async ({ targets }) => keep('slack', (await targets.create(slack)).id),
      action: 'target.create',
      subjectName,
      changes: { kind: { after: 'slack' }, address: { after: subjectName } },
    },
    {
      change: async ({ targets }) => (await targets.remove(idOf('slack')))?.id ?? null,
      action: 'target.delete',
      subjectName,
      changes: { kind: { before: 'slack' }, address: { before: subjectName } },
    },
  ]
}

export function incidentSteps(): TourStep[] {
  const alert = createAlert(77, { kind: 'spend.anomaly' })
  const subject = { id: alert.id, name: 'team=search' }
  const snooze = { kind: 'snoozed', until: START_MS, excess: 5n * 10n ** 11n } as const
  return [
    {
      change: async ({ alerts, incidentMarks }) => {
        await alerts.take([alert], 77)
        await incidentMarks.set(subject, snooze)
        return alert.id
      },
      action: 'alert.snooze',
      subjectName: 'team=search',
      changes: {
        snoozed_until: { before: null, after: START },
        excess_usd: { before: null, after: '0.5' },
      },
    },
    {
      change: async ({ incidentMarks }) => {
        await incidentMarks.set(subject, { kind: 'acknowledged' })
        return alert.id
      },
      action: 'alert.acknowledge',
      subjectName: 'team=search',
      changes: {
        acknowledged: { before: false, after: true },
        snoozed_until: { before: START, after: null },
        excess_usd: { before: '0.5', after: null },
      },
    },
    {
      change: async ({ incidentMarks }) => {
        await incidentMarks.set(subject, null)
        return alert.id
      },
      action: 'alert.reopen',
      subjectName: 'team=search',
      changes: { acknowledged: { before: true, after: false } },
    },
  ]
}

export function priceSteps({ idOf, keep }: TourTools): TourStep[] {
  const imported = { version: 'v1', publishedAt: START_MS, text: 'the text: 😀', who: 'ada' }
  const data = { published_at: START, bytes: Buffer.byteLength(imported.text) }
  return [
    {
      change: async ({ prices }) => keep('old rule', (await prices.set(RULE)).id),
      action: 'price.set',
      subjectName: 'acme big-*',
      changes: {
        provider: { after: 'acme' },
        model: { after: 'big-*' },
        effective_from: { after: START },
        rates: { after: { input: '1.25' } },
        note: { after: 'contract 7' },
      },
    },
    {
      change: async ({ prices }) => {
        const price = { kind: 'multiplier', factor: '0.8' } as const
        return keep('rule', (await prices.set({ ...RULE, price })).id)
      },
      action: 'price.set',
      subjectName: 'acme big-*',
      get changes() {
        return {
          id: { before: idOf('old rule'), after: idOf('rule') },
          rates: { before: { input: '1.25' }, after: null },
          multiplier: { before: null, after: '0.8' },
        }
      },
    },
    {
      change: async ({ prices }) => (await prices.remove(idOf('rule')))?.id ?? null,
      action: 'price.unset',
      subjectName: 'acme big-*',
      changes: {
        provider: { before: 'acme' },
        model: { before: 'big-*' },
        effective_from: { before: START },
        multiplier: { before: '0.8' },
        note: { before: 'contract 7' },
      },
    },
    {
      change: async ({ prices }) => (await prices.putImport(imported), null),
      action: 'price.import',
      subjectName: 'v1',
      changes: {
        version: { after: 'v1' },
        published_at: { after: START },
        bytes: { after: data.bytes },
      },
    },
    {
      change: async ({ prices }) => (await prices.putImport({ ...imported, version: 'v2' }), null),
      action: 'price.import',
      subjectName: 'v2',
      changes: { version: { before: 'v1', after: 'v2' } },
    },
    {
      change: async ({ prices }) => (await prices.putImport(null), null),
      action: 'price.unset',
      subjectName: 'v2',
      changes: {
        version: { before: 'v2' },
        published_at: { before: START },
        bytes: { before: data.bytes },
      },
    },
  ]
}
