// Runs every command of docs/budgets.md and its pages, and compares every body with a real one.

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createCommandLine } from '../../../test/fakes/command-line.ts'
import type { CommandLine } from '../../../test/fakes/command-line.ts'
import { toFailingAlert, toRecoveredAlert } from '../../alerts/journal-alert.ts'
import { toTestAlert } from '../../alerts/test-alert.ts'
import { toAskAlert } from '../../api/asks/ask-row.ts'
import type { BudgetRow } from '../../api/contract.ts'
import type { Ask } from '../../core/asks/ask.ts'
import type { Alert } from '../../core/alert.ts'
import { spanOf } from '../../core/budget.ts'
import type { Budget } from '../../core/budget.ts'
import { toForecastAlert, toThresholdAlert } from '../../core/alerts/budget-alert.ts'
import { forecastSpend } from '../../core/forecast.ts'
import { toIncidentAlert } from '../../core/alerts/incident-alert.ts'
import type { Incident } from '../../core/alerts/incident.ts'
import { parseMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import { refuseBudget } from '../../limits/limit-refusal.ts'
import { writeRefusal } from '../../policy/refusal.ts'

const PAGE = ['budgets.md', 'budgets/blocking.md', 'budgets/alerts.md']
  .map((page) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8'))
  .join('\n')
const usd = (text: string): Money => parseMoney(text) as Money

const BUDGET: Budget = {
  id: 'bud_3f0c9a6b2d18e457',
  name: 'Search team',
  scope: { kind: 'dim', key: 'team', value: 'search' },
  period: 'month',
  limit: usd('100'),
  thresholds: [50, 80, 100],
  each: 'none',
  isTargetsOnly: false,
  isBlocking: false,
  createdAt: 0,
  version: 1,
}
const SPAN = spanOf('month', Date.UTC(2026, 10, 17))
const AT = Date.UTC(2026, 10, 17, 15)

const INCIDENT: Incident = {
  id: 'msg_1',
  at: AT,
  subjects: [
    { kind: 'api_key', name: 'svc_k_0mz4q7c2x8v1b5n9' },
    { kind: 'dim', name: 'team=search' },
    { kind: 'model', name: 'openai/gpt-4o' },
  ],
  jumps: [{ day: '2026-11-17', spent: usd('61.4'), usual: usd('3.2') }],
  largest: usd('5.75'),
  days: 28,
}

const MAX = { userId: 'user_0123456789abcdef', email: 'max@example.com', role: 'owner' } as const
const NOTICES = { canMail: true, consoleUrl: 'https://weir.example.com' }
const ASK: Ask = {
  id: 'ask_0123456789abcdef',
  teamId: 'team_0123456789abcdef',
  personId: MAX.userId,
  email: MAX.email,
  kind: 'budget',
  keyId: 'svc_k_abcdefghjkmnpqrs',
  budgetId: BUDGET.id,
  amount: usd('100'),
  note: 'Evaluations',
  status: 'approved',
  createdAt: 0,
  decidedAt: AT,
  decidedBy: 'lea@example.com',
  answer: 'Until the launch',
  granted: usd('80'),
}

function makeBodies(): unknown[] {
  const requestId = '0197f2f0-0000-7000-8000-000000000000'
  const state = { budget: BUDGET, span: SPAN, spent: usd('100.02'), usual: null, unpriced: 0 }
  const context = { requestId, shape: 'openai', isHead: false, isClosing: false } as const
  const [, refused = ''] = writeRefusal(refuseBudget(state), context).split('\r\n\r\n')
  const crossedAt = Date.UTC(2026, 10, 17, 14, 3, 27, 512)
  const crossing = { span: SPAN, percent: 80, spent: usd('80.0125'), at: crossedAt }
  const soFar = { spent: usd('30'), span: SPAN, sinceMs: 0, nowMs: Date.UTC(2026, 10, 9) }
  const forecast = forecastSpend(soFar) as Money
  const target = { id: 'tgt_5b1e0c7d9a2f4836', kind: 'webhook', address: '', secret: null } as const
  const alerts = [
    toThresholdAlert(BUDGET, crossing),
    toForecastAlert(BUDGET, { ...soFar, forecast, at: soFar.nowMs }),
    toIncidentAlert(INCIDENT, { consoleUrl: 'https://weir.example.com' }),
    ...makeJournalAlerts(),
    toAskAlert(ASK, { team: 'Search', recipients: [MAX], notices: NOTICES }),
    toTestAlert({ ...target, budgetId: BUDGET.id, createdAt: 0 }, AT),
  ]
  return [refused, ...alerts.map(({ body }) => body)].map((text) => JSON.parse(text) as unknown)
}

function makeJournalAlerts(): Alert[] {
  const site = { host: 'mill-1', directory: 'weir-data', onFull: 'go-on' } as const
  const refusal = { since: Date.parse('2026-11-17T09:30:00Z'), reason: 'ENOSPC' }
  const outage = { since: refusal.since, endedAt: Date.parse('2026-11-17T09:41:09.910Z'), lost: 3 }
  return [
    toFailingAlert(site, refusal, Date.parse('2026-11-17T09:30:00.412Z')),
    toRecoveredAlert(site, outage, Date.parse('2026-11-17T09:42:10.120Z')),
  ]
}

test('the bodies of the page are what Weir makes, and each of their fields is explained', () => {
  const shown = [...PAGE.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => JSON.parse(text))
  assert.deepEqual(shown, makeBodies())
  const explained = new Set(
    [...PAGE.matchAll(/^\| (`.+?`) +\|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[a-z_]+/g) ?? [],
    ),
  )
  for (const { data } of shown.slice(1) as { data: object }[]) {
    for (const field of Object.keys(data)) assert.ok(explained.has(field), field)
  }
})

test('a signature made by hand, as the page tells, is the one that Weir sends', () => {
  const [secret, id, body] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'msg_1', '{"type":"x"}']
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key)
    .update(`${id}.${AT / 1000}.${body}`)
    .digest('base64')
  assert.equal(new Webhook(secret).sign(id, new Date(AT), body), `v1,${signature}`)
})

/** Words of a shell, as far as the page uses them: quotes. */
function toWords(line: string): string[] {
  const words = line.match(/'[^']*'|\S+/g) ?? []
  return words.map((word) => word.replace(/^'(.*)'$/, '$1'))
}

/** Ids that the page leaves out are those of the moment; its receivers are near. */
async function completeWords(
  { json }: CommandLine,
  words: readonly string[],
  place: { readonly url: string; readonly keyId: string },
): Promise<string[]> {
  const { budgets } = await json<{ budgets: readonly BudgetRow[] }>('budgets', 'list')
  const { targets } = await json<{ targets: readonly { id: string }[] }>('alerts', 'targets')
  const budget = budgets.find((each) => each.targets.length > 0) ?? budgets[0]
  const owned = words[0] === 'alerts' ? targets[0] : budget?.targets[0]
  return words.map((word) =>
    word
      .replace('bud_…', budget?.id ?? '')
      .replace('tgt_…', owned?.id ?? '')
      .replace('svc_k_…', place.keyId)
      .replace('msg_…', INCIDENT.id)
      .replace('https://example.com', place.url),
  )
}

test('the commands of the page work, in its order', async (context) => {
  const line = createCommandLine(context)
  const { weir, json, dataDir } = line
  const mail = '{ url: "smtp://127.0.0.1:1", from: weir@example.com }'
  const alerts = `alerts:\n  allowPrivateTargets: true\n  smtp: ${mail}\n`
  const config = `dataDir: ${JSON.stringify(dataDir)}\n${alerts}`
  writeFileSync(`${dataDir}.yaml`, config)
  const server = createServer((_, response) => response.writeHead(204).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  context.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { id: keyId } = await json<{ id: string }>('keys', 'create', '--name', 'nightly')
  const nowMs = line.clock.nowMs
  const settings = await openSettingsStore({
    dataDir,
    clock: { now: () => nowMs, monotonic: () => 0 },
  })
  const jump = { day: new Date(nowMs).toISOString().slice(0, 10), spent: 2n, usual: 1n }
  await settings.alerts.take([toIncidentAlert({ ...INCIDENT, at: nowMs, jumps: [jump] })], 1)
  await settings.close()
  const lines = [...PAGE.matchAll(/^ {4}weir (.+)$/gm)].map(([, text = '']) => text)
  assert.ok(lines.length >= 15)
  for (const text of lines) {
    const words = await completeWords(line, toWords(text), { url, keyId })
    const { code, err } = await weir(...words)
    assert.equal(code, 0, `weir ${text}\n${err}`)
  }
})
