// An ask as it is shown, and as it is told: to leads when it is made, to the asker once it is
// decided, and to the targets that belong to no budget.

import { createAlertId } from '../../core/alert.ts'
import type { AddressedAlert, AlertRecipient } from '../../core/alert.ts'
import { toBody } from '../../core/alerts/budget-alert.ts'
import type { Ask } from '../../core/asks/ask.ts'
import { toAnswerUsd } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { ApiServices } from '../api-options.ts'
import { readBudgetsOfKeys } from '../budgets/budgets-of-keys.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import type { AskRow } from './ask-contract.ts'
import { toAskedBudget } from './own-budget.ts'

const toUsd = (amount: Money | null): number | null =>
  amount === null ? null : toAnswerUsd(amount)

export async function toAskRows(
  asks: readonly Ask[],
  services: Pick<ApiServices, 'settings' | 'everyBudget' | 'teamDirectory' | 'keyDirectory'>,
): Promise<AskRow[]> {
  if (asks.length === 0) return []
  const { byId: teams } = await services.teamDirectory.read()
  const { byId: keys } = await services.keyDirectory.read()
  const { all, isSeen } = await readBudgetsOfKeys(services)
  return asks.map((ask) => {
    const found = toAskedBudget(ask, all)
    const budget = found !== null && isSeen(found) ? found : null
    return {
      id: ask.id,
      kind: ask.kind,
      status: ask.status,
      team_id: ask.teamId,
      team: teams.get(ask.teamId)?.name ?? null,
      person_id: ask.personId,
      person: ask.email,
      key_id: ask.keyId,
      key: (ask.keyId && keys.get(ask.keyId)?.key.name) ?? null,
      budget_id: ask.budgetId,
      budget: budget?.name ?? null,
      period: budget?.period ?? null,
      limit_usd: toUsd(budget?.limit ?? null),
      amount_usd: toUsd(ask.amount),
      granted_usd: toUsd(ask.granted),
      note: ask.note,
      answer: ask.answer,
      created_at: toIso(ask.createdAt),
      decided_at: toIsoOrNull(ask.decidedAt),
      decided_by: ask.decidedBy,
    }
  })
}

/** Who is told: of a new one the leads, of a decision the asker, where they may sign in. */
export async function listRecipients(
  ask: Pick<Ask, 'teamId' | 'personId'>,
  { settings }: Pick<ApiServices, 'settings'>,
  which: 'created' | 'decided',
): Promise<readonly AlertRecipient[]> {
  if (which === 'created') {
    return (await settings.teams.listMembers(ask.teamId))
      .filter(({ role, isDisabled, userId }) => {
        return role === 'lead' && !isDisabled && userId !== ask.personId
      })
      .map(({ userId, email }) => ({ userId, email, role: 'lead' }))
  }
  const user = await settings.users.find({ id: ask.personId })
  if (user === null || user.disabledAt !== null) return []
  return [{ userId: user.id, email: user.email, role: 'owner' }]
}

interface AlertFacts {
  readonly team: string
  readonly recipients: readonly AlertRecipient[]
  readonly notices: ApiServices['notices']
}

export function toAskAlert(
  ask: Ask,
  { team, recipients, notices = { canMail: false, consoleUrl: null } }: AlertFacts,
): AddressedAlert {
  const kind = ask.status === 'open' ? 'ask.created' : 'ask.decided'
  const at = ask.decidedAt ?? ask.createdAt
  // Leads decide on their team's page; whoever asked has the answer beside their keys.
  const path = ask.status === 'open' ? `/teams/${ask.teamId}?tab=asks` : '/my-keys'
  return {
    id: createAlertId(kind, ask.id),
    kind,
    budgetId: null,
    at,
    body: toBody(kind, at, {
      ask: {
        id: ask.id,
        kind: ask.kind,
        status: ask.status,
        team_id: ask.teamId,
        team,
        person: ask.email,
        key_id: ask.keyId,
        budget_id: ask.budgetId,
        amount_usd: toUsd(ask.amount),
        granted_usd: toUsd(ask.granted),
        note: ask.note,
        answer: ask.answer,
        decided_by: ask.decidedBy,
      },
      console_url: `${notices.consoleUrl ?? ''}${path}`,
      ...(recipients.length > 0 && {
        recipients: recipients.map(({ email, role }) => ({ email, role })),
      }),
    }),
    ...(notices.canMail && { recipients }),
  }
}
