// Examples of budgets, targets and alerts for the OpenAPI document; a test checks their schemas.

import { BUDGET_FIELDS } from '../../resources/budget.ts'
import type {
  AlertRow,
  BudgetPeriodRow,
  BudgetRow,
  IncidentChange,
  NewBudget,
  NewTarget,
  TargetRow,
} from '../contract.ts'
import { toExample } from '../field-schemas.ts'

const URL_EXAMPLE = 'https://alerts.example.com/weir'
const TARGET = { id: 'tgt_5c1e0d2f7a9b3468', kind: 'webhook', address: URL_EXAMPLE } as const
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const NEW_TARGET_EXAMPLE: NewTarget = { kind: 'webhook', address: URL_EXAMPLE }

const SETTINGS = toExample(BUDGET_FIELDS)

export const NEW_BUDGET_EXAMPLE: NewBudget = { ...SETTINGS, targets: [NEW_TARGET_EXAMPLE] }

export const BUDGET_EXAMPLE: BudgetRow = {
  id: 'bud_9f2c4e6a8b0d1357',
  ...SETTINGS,
  created_at: '2026-02-20T09:30:00.000Z',
  version: 57,
  period_start: '2026-03-01T00:00:00.000Z',
  period_end: '2026-04-01T00:00:00.000Z',
  spent_usd: 640.25,
  spent_percent: 64.02,
  is_exceeded: false,
  forecast_usd: 1368.810344828,
  forecast_from: '2026-03-01T00:00:00.000Z',
  unpriced_requests: 0,
  unknown_cost_usd: 0,
  running_calls: 3,
  reserved_usd: 0.06,
  overshoot_max_usd: 0.18,
  targets: [TARGET],
}

export const PERIOD_EXAMPLES: BudgetPeriodRow[] = [
  {
    period_start: BUDGET_EXAMPLE.period_start,
    period_end: BUDGET_EXAMPLE.period_end,
    is_running: true,
    limit_usd: BUDGET_EXAMPLE.limit_usd,
    spent_usd: BUDGET_EXAMPLE.spent_usd,
    spent_percent: BUDGET_EXAMPLE.spent_percent,
    is_exceeded: false,
    unpriced_requests: 0,
  },
  {
    period_start: '2026-02-01T00:00:00.000Z',
    period_end: '2026-03-01T00:00:00.000Z',
    is_running: false,
    limit_usd: 800,
    spent_usd: 812.5,
    spent_percent: 101.56,
    is_exceeded: true,
    unpriced_requests: 0,
  },
]

export const CREATED_BUDGET_EXAMPLE: BudgetRow = {
  ...BUDGET_EXAMPLE,
  targets: [{ ...TARGET, secret: SECRET }],
  webhook_secret: SECRET,
}

export const TARGET_EXAMPLE: TargetRow = {
  ...TARGET,
  budget_id: null,
  created_at: '2026-02-20T09:30:00.000Z',
}

export const CREATED_TARGET_EXAMPLE: TargetRow = { ...TARGET_EXAMPLE, secret: SECRET }

const { id, name, scope, period, limit_usd } = BUDGET_EXAMPLE

export const ALERT_EXAMPLE: AlertRow = {
  id: 'msg_7d0c1b2a39485f6e7d0c1b2a39485f6e',
  type: 'budget.threshold',
  budget_id: id,
  at: '2026-03-12T08:15:30.250Z',
  body: {
    type: 'budget.threshold',
    timestamp: '2026-03-12T08:15:30.250Z',
    data: {
      budget: { id, name, scope, period, limit_usd },
      threshold_percent: 50,
      spent_usd: 500.01,
      period_start: '2026-03-01T00:00:00.000Z',
      period_end: '2026-04-01T00:00:00.000Z',
      blocking: true,
    },
  },
  incident: null,
  deliveries: [
    {
      target_id: TARGET.id,
      kind: 'webhook',
      address: URL_EXAMPLE,
      state: 'delivered',
      next_at: null,
      attempts: [
        { at: '2026-03-12T08:15:30.900Z', delivered: false, detail: '500' },
        { at: '2026-03-12T08:15:32.010Z', delivered: true, detail: '200' },
      ],
    },
  ],
}

const KEY_ID = 'svc_k_7h2m9x4q8r1t5w3z'
const AT = '2026-03-14T15:00:00.000Z'

export const INCIDENT_EXAMPLE: AlertRow = {
  id: 'msg_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  type: 'spend.anomaly',
  budget_id: null,
  at: AT,
  body: {
    type: 'spend.anomaly',
    timestamp: AT,
    data: {
      subject: { kind: 'api_key', name: KEY_ID },
      day: '2026-03-15',
      spent_usd: 61.4,
      usual_usd: 3.2,
      largest_usd: 5.75,
      days: 27,
      subjects: [
        { kind: 'api_key', name: KEY_ID },
        { kind: 'dim', name: 'team=search' },
      ],
      first_day: '2026-03-14',
      excess_usd: 87.6,
      jumps: [
        { day: '2026-03-14', spent_usd: 32.6, usual_usd: 3.2 },
        { day: '2026-03-15', spent_usd: 61.4, usual_usd: 3.2 },
      ],
      calls_url: `https://weir.example.com/requests?api_key=${KEY_ID}&from=2026-03-14&to=2026-03-16&sort=cost`,
    },
  },
  incident: {
    state: 'open',
    marked_at: null,
    marked_by: null,
    snoozed_until: null,
    excess_usd: 87.6,
  },
  deliveries: [],
}

export const INCIDENT_CHANGE_EXAMPLE: IncidentChange = {
  id: INCIDENT_EXAMPLE.id,
  state: 'snoozed',
  marked_at: '2026-03-15T16:20:00.000Z',
  marked_by: 'ada@example.com',
  snoozed_until: '2026-03-16T09:00:00.000Z',
}
