// Budgets, targets and the log of alerts in the OpenAPI document.

import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import type { ZodType } from 'zod'
import {
  alertPageSchema,
  alertParametersSchema,
  budgetChangeSchema,
  budgetListSchema,
  budgetSchema,
  newBudgetSchema,
  newTargetSchema,
  targetListSchema,
  targetRowSchema,
  testOutcomeSchema,
} from '../contract.ts'
import {
  INVALID,
  NEEDS_TOKEN,
  REFUSED,
  UNAUTHORIZED,
  UNEXPECTED,
  error,
  json,
} from '../reference/openapi-answers.ts'
import {
  ALERT_PAGE_EXAMPLE,
  BUDGET_CHANGE_EXAMPLE,
  BUDGET_EXAMPLE,
  CREATED_BUDGET_EXAMPLE,
  CREATED_TARGET_EXAMPLE,
  INVALID_BODY_EXAMPLE,
  NEW_BUDGET_EXAMPLE,
  NEW_TARGET_EXAMPLE,
  TARGET_EXAMPLE,
  TEST_OUTCOME_EXAMPLE,
  WRITE_SCOPE_DENIED_EXAMPLE,
} from './openapi-budget-examples.ts'

const READS = 'Needs a token with scope read:usage.'
const WRITES = 'Needs a token with scope write:budgets.'

const READ_FAULTS = { ...INVALID, ...REFUSED, ...UNEXPECTED }

const WRITE_FAULTS = {
  ...INVALID,
  ...UNAUTHORIZED,
  403: error('`scope_denied`: the token lacks the scope.', WRITE_SCOPE_DENIED_EXAMPLE),
  ...UNEXPECTED,
}

const BODY_FAULTS = {
  ...WRITE_FAULTS,
  400: error(
    '`invalid_parameter`: the text names every member that is wrong and what is allowed.',
    INVALID_BODY_EXAMPLE,
  ),
  413: error('`body_too_large`: more than 64 KiB.'),
}

const NO_BUDGET = { 404: error('`not_found`: there is no such budget.') }
const NO_TARGET = { 404: error('`not_found`: there is no such target.') }

const params = (description: string, example: string) => ({
  params: z.object({ id: z.string().meta({ description, example }) }),
})
const BUDGET_ID = params('The id of a budget, `bud_…`.', BUDGET_EXAMPLE.id)
const TARGET_ID = params('The id of a target, `tgt_…`.', TARGET_EXAMPLE.id)

const body = (schema: ZodType, example: object) => ({
  body: { required: true, content: { 'application/json': { schema, example } } },
})

/** What all of them have in common. */
function toRoute(route: Omit<RouteConfig, 'tags' | 'security'>): RouteConfig {
  return { ...route, tags: ['Budgets'], security: NEEDS_TOKEN }
}

export const BUDGET_ROUTES: readonly RouteConfig[] = [
  toRoute({
    method: 'get',
    path: '/v1/budgets',
    operationId: 'listBudgets',
    summary: 'Every budget and what it has spent',
    description: READS,
    responses: {
      200: json('The budgets.', budgetListSchema, { rows: [BUDGET_EXAMPLE] }),
      ...READ_FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/budgets',
    operationId: 'createBudget',
    summary: 'Make a budget',
    description: `${WRITES} It counts from the beginning of the period that runs. The secret of a webhook is in this answer and in no other.`,
    request: body(newBudgetSchema, NEW_BUDGET_EXAMPLE),
    responses: {
      201: json('The budget.', budgetSchema, CREATED_BUDGET_EXAMPLE),
      ...BODY_FAULTS,
    },
  }),
  toRoute({
    method: 'get',
    path: '/v1/budgets/{id}',
    operationId: 'getBudget',
    summary: 'One budget and what it has spent',
    description: READS,
    request: BUDGET_ID,
    responses: {
      200: json('The budget.', budgetSchema, BUDGET_EXAMPLE),
      ...READ_FAULTS,
      ...NO_BUDGET,
    },
  }),
  toRoute({
    method: 'patch',
    path: '/v1/budgets/{id}',
    operationId: 'changeBudget',
    summary: 'Change a budget',
    description: `${WRITES} What is left out stays. A limit that is changed is judged anew at once.`,
    request: { ...BUDGET_ID, ...body(budgetChangeSchema, BUDGET_CHANGE_EXAMPLE) },
    responses: {
      200: json('The budget as it is now.', budgetSchema),
      ...BODY_FAULTS,
      ...NO_BUDGET,
    },
  }),
  toRoute({
    method: 'delete',
    path: '/v1/budgets/{id}',
    operationId: 'deleteBudget',
    summary: 'Delete a budget and its targets',
    description: `${WRITES} Its alerts stay in the log.`,
    request: BUDGET_ID,
    responses: {
      200: json('The budget as it was.', budgetSchema),
      ...WRITE_FAULTS,
      ...NO_BUDGET,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/budgets/{id}/targets',
    operationId: 'addBudgetTarget',
    summary: 'Send the alerts of a budget somewhere else as well',
    description: `${WRITES} The secret of a webhook is in this answer and in no other.`,
    request: { ...BUDGET_ID, ...body(newTargetSchema, NEW_TARGET_EXAMPLE) },
    responses: {
      201: json('The budget, with the new target.', budgetSchema, CREATED_BUDGET_EXAMPLE),
      ...BODY_FAULTS,
      ...NO_BUDGET,
    },
  }),
  toRoute({
    method: 'get',
    path: '/v1/targets',
    operationId: 'listTargets',
    summary: 'Whom alerts go to',
    description: `${READS} Of all budgets, and those for the alerts that concern no budget.`,
    responses: {
      200: json('The targets.', targetListSchema, { rows: [TARGET_EXAMPLE] }),
      ...READ_FAULTS,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/targets',
    operationId: 'addTarget',
    summary: 'Send the alerts that concern no budget somewhere',
    description: `${WRITES} These are the anomalies. The secret of a webhook is in this answer and in no other.`,
    request: body(newTargetSchema, NEW_TARGET_EXAMPLE),
    responses: {
      201: json('The target.', targetRowSchema, CREATED_TARGET_EXAMPLE),
      ...BODY_FAULTS,
    },
  }),
  toRoute({
    method: 'delete',
    path: '/v1/targets/{id}',
    operationId: 'deleteTarget',
    summary: 'Send no more alerts there',
    description: `${WRITES} What was still to be delivered to it is given up.`,
    request: TARGET_ID,
    responses: {
      200: json('The target as it was.', targetRowSchema, TARGET_EXAMPLE),
      ...WRITE_FAULTS,
      ...NO_TARGET,
    },
  }),
  toRoute({
    method: 'post',
    path: '/v1/targets/{id}/test',
    operationId: 'testTarget',
    summary: 'Send a test alert there',
    description: `${WRITES} It is sent once and waited for; whether it arrived is the answer. It takes no body.`,
    request: TARGET_ID,
    responses: {
      200: json('What came of it.', testOutcomeSchema, TEST_OUTCOME_EXAMPLE),
      ...WRITE_FAULTS,
      ...NO_TARGET,
    },
  }),
  toRoute({
    method: 'get',
    path: '/v1/alerts',
    operationId: 'listAlerts',
    summary: 'The log of alerts, newest first',
    description: `${READS} With every attempt to deliver them. Pages follow each other by next_cursor until it is null.`,
    request: { query: alertParametersSchema },
    responses: {
      200: json('A page of alerts.', alertPageSchema, ALERT_PAGE_EXAMPLE),
      ...READ_FAULTS,
    },
  }),
]
