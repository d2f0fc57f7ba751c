// A tour of every method of the settings store that changes something, each with the line it must
// leave in the audit log.

import assert from 'node:assert/strict'
import {
  keySteps,
  sessionSteps,
  teamSteps,
  groupSteps,
  tokenSteps,
  userSteps,
  viewSteps,
} from './settings-tour-access.ts'
import { budgetSteps, incidentSteps, priceSteps, targetSteps } from './settings-tour-spend.ts'
import type { TourStep, TourTools } from './settings-tour-step.ts'

export interface Tour {
  readonly steps: readonly TourStep[]
  /** What must never be in the log, as far as the steps have made it. */
  readonly secrets: ReadonlySet<string>
}

export function createTour(): Tour {
  const secrets = new Set(['slacksecret', 'hooksecret', 'pathsecret', 'querysecret', 'the text'])
  const ids = new Map<string, string>()
  const tools: TourTools = {
    secrets,
    idOf: (name) => ids.get(name) ?? assert.fail(`no ${name} was made`),
    keep: (name, id) => {
      ids.set(name, id)
      return id
    },
  }
  const parts = [
    keySteps,
    tokenSteps,
    budgetSteps,
    targetSteps,
    incidentSteps,
    priceSteps,
    userSteps,
    teamSteps,
    sessionSteps,
    groupSteps,
    viewSteps,
  ]
  return { steps: parts.flatMap((part) => part(tools)), secrets }
}
