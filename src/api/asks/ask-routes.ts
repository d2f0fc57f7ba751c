// Asks over HTTP: a member asks for more than a limit of theirs, a lead of the team decides. Must
// stay true: nobody decides their own, and an approval gives the limit before it says so.

import type { ApiKey } from '../../core/api-key.ts'
import type { Ask, AskDecision, NewAsk } from '../../core/asks/ask.ts'
import type { Caller } from '../../core/caller.ts'
import { parseLimit } from '../../core/budget.ts'
import { WeirError } from '../../core/weir-error.ts'
import { withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { readBudgetsOfKeys } from '../budgets/budgets-of-keys.ts'
import { created, ok, routesOf } from '../define-route.ts'
import type { ApiRoute, Call } from '../define-route.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { requireTeam } from '../teams/named-things.ts'
import { findMembership, findTeam } from '../teams/team-directory.ts'
import {
  answerSchema,
  approvalSchema,
  ASK_ID_EXAMPLE,
  askListSchema,
  askParametersSchema,
  ASKS_LIMIT_DEFAULT,
  askSchema,
  newAskSchema,
} from './ask-contract.ts'
import type { AskRow, NewAskBody } from './ask-contract.ts'
import { listRecipients, toAskAlert, toAskRows } from './ask-row.ts'
import { findOwnBudget, grantLimit, toAskedBudget } from './own-budget.ts'

const defineRoute = routesOf('Asks')
const ASK = { noun: 'ask', description: 'The id of an ask, `ask_…`.', example: ASK_ID_EXAMPLE }
const DECIDE = { access: withScope('write:budgets'), sight: 'scoped', id: ASK } as const

export const ASK_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/asks', {
    name: 'listAsks',
    summary: 'Who asks for more than a limit',
    description: 'Open ones and those that are decided, the newest first.',
    access: withScope('read:keys'),
    sight: 'scoped',
    query: askParametersSchema,
    answer: ok('The asks.', askListSchema),
    handle: async ({ services, query: { status, team, limit = ASKS_LIMIT_DEFAULT } }) => {
      const known = await services.teamDirectory.read()
      const teamId = team === undefined ? null : (findTeam(known, team)?.id ?? team)
      const asks = (await services.settings.asks.list({ status })).filter(
        (ask) => teamId === null || ask.teamId === teamId,
      )
      return { rows: await toAskRows(asks.slice(0, limit), services) }
    },
  }),
  defineRoute('POST /v1/asks', {
    name: 'createAsk',
    summary: 'Ask for more than a limit',
    description: 'For people: the leads of the team are told, and decide.',
    access: withScope('write:keys'),
    sight: 'scoped',
    body: {
      schema: newAskSchema,
      example: {
        kind: 'budget',
        key_id: 'svc_k_abcdefghjkmnpqrs',
        budget_id: 'bud_9f2c4e6a8b0d1357',
        amount_usd: 100,
      },
    },
    answer: created('The ask.', askSchema),
    handle: async ({ services, caller, body }) => {
      const asked = await toNewAsk(body, await readAsker(caller, services), services)
      const toAlert = await createTelling(asked, services, 'created')
      return toRow(await services.settings.asks.create(asked, toAlert), services)
    },
  }),
  defineRoute('POST /v1/asks/{id}/approve', {
    name: 'approveAsk',
    summary: 'Say yes to an ask',
    description:
      'Of a budget, the person has the limit from then on. A lead gives no more than the team itself has. Of another limit nothing changes by itself.',
    ...DECIDE,
    body: { schema: approvalSchema, example: { note: 'Until the launch.' } },
    answer: ok('The ask.', askSchema),
    handle: async (call) => {
      const { services, body } = call
      const ask = await findOpen(call)
      const { amount_usd: usd, note = null } = body
      const limit = usd === undefined ? ask.amount : parseLimit(usd)
      if (ask.kind === 'limit') {
        if (usd !== undefined) throw invalidParameter('amount_usd is for asks of kind budget.')
        return decide(call, ask, { status: 'approved', answer: note, granted: null })
      }
      const own = toAskedBudget(ask, (await readBudgetsOfKeys(services)).all)
      if (own === null || limit === null) {
        throw invalidParameter('Its budget is gone: decline it, or give the key another one.')
      }
      await grantLimit(services, { own, limit, teamId: ask.teamId })
      return decide(call, ask, { status: 'approved', answer: note, granted: limit })
    },
  }),
  defineRoute('POST /v1/asks/{id}/decline', {
    name: 'declineAsk',
    summary: 'Say no to an ask',
    ...DECIDE,
    body: { schema: answerSchema, example: { note: 'Next month.' } },
    answer: ok('The ask.', askSchema),
    handle: async (call) => {
      const { note = null } = call.body
      const declined = { status: 'declined', answer: note, granted: null } as const
      return decide(call, await findOpen(call), declined)
    },
  }),
  defineRoute('POST /v1/asks/{id}/withdraw', {
    name: 'withdrawAsk',
    summary: 'Take back an ask of yours',
    description: 'It takes no body.',
    access: withScope('write:keys'),
    sight: 'scoped',
    id: ASK,
    answer: ok('The ask.', askSchema),
    handle: async (call) => {
      const { services, caller, id, missing } = call
      const ask = (await services.settings.asks.find(id)) ?? missing()
      if (ask.personId !== caller.userId) missing()
      return decide(call, ask, { status: 'closed', answer: null, granted: null })
    },
  }),
]

type AskCall = Call<Caller, unknown, unknown>

async function findOpen({ services, caller, id, missing }: AskCall): Promise<Ask> {
  const ask = (await services.settings.asks.find(id)) ?? missing()
  if (ask.personId === caller.userId) {
    throw new WeirError('scope_denied', 'Somebody else decides what you ask for.', {
      hint: 'Another lead, or an administrator.',
    })
  }
  if (ask.status === 'open') return ask
  throw invalidParameter(`The ask is ${ask.status} already.`)
}

async function decide(
  { services, missing }: AskCall,
  ask: Ask,
  decision: AskDecision,
): Promise<AskRow> {
  const toAlert = await createTelling(ask, services, 'decided')
  const decided = await services.settings.asks.decide(ask.id, decision, toAlert)
  return toRow(decided ?? missing(), services)
}

async function createTelling(
  ask: NewAsk,
  services: ApiServices,
  which: 'created' | 'decided',
): Promise<(ask: Ask) => ReturnType<typeof toAskAlert>> {
  const recipients = await listRecipients(ask, services, which)
  const team = (await services.teamDirectory.read()).byId.get(ask.teamId)?.name ?? ask.teamId
  return (made) => toAskAlert(made, { team, recipients, notices: services.notices })
}

async function toRow(ask: Ask, services: ApiServices): Promise<AskRow> {
  const [row] = await toAskRows([ask], services)
  return row as AskRow
}

interface Asker {
  readonly id: string
  readonly email: string
}

async function readAsker({ userId }: Caller, { settings }: ApiServices): Promise<Asker> {
  const user = userId === null ? null : await settings.users.find({ id: userId })
  if (user === null) throw invalidParameter('People ask for more, and programs do not.')
  return user
}

async function toNewAsk(
  { kind, key_id: keyId, team_id: team, note = null, ...budget }: NewAskBody,
  { id: personId, email }: Asker,
  services: ApiServices,
): Promise<NewAsk> {
  const key = keyId === undefined ? null : await readOwnKey(keyId, personId, services)
  const by = { personId, email, kind, keyId: key?.id ?? null, note }
  if (kind === 'budget') {
    if (key === null) throw invalidParameter('key_id must be given for more of a budget.')
    return { ...by, teamId: key.teamId ?? '', ...(await toAmount(budget, key, services)) }
  }
  if (note === null) throw invalidParameter('note must say what is wanted.')
  const known = await services.teamDirectory.read()
  const teamId = key?.teamId ?? requireTeam(known, team ?? '', 'team_id').id
  if (findMembership(known, teamId, personId) === null) {
    throw invalidParameter('team_id must be a team that you are in.')
  }
  return { ...by, teamId, budgetId: null, amount: null }
}

async function readOwnKey(
  id: string,
  personId: string,
  { keyDirectory }: ApiServices,
): Promise<ApiKey> {
  const { key } = (await keyDirectory.read()).byId.get(id) ?? {}
  if (key?.personId === personId && key.teamId !== null && key.revokedAt === null) return key
  throw invalidParameter('key_id must be a personal key of yours, in a team.')
}

async function toAmount(
  { budget_id: id, amount_usd: usd }: Pick<NewAskBody, 'budget_id' | 'amount_usd'>,
  key: ApiKey,
  services: ApiServices,
): Promise<Pick<NewAsk, 'budgetId' | 'amount'>> {
  const amount = usd === undefined ? null : parseLimit(usd)
  if (id === undefined || amount === null) {
    throw invalidParameter('budget_id and amount_usd must be given for more of a budget.')
  }
  const own = await findOwnBudget(services, id, key)
  if (own === null) {
    throw invalidParameter('budget_id must be a budget that limits this key, or you, alone.')
  }
  if (amount > own.limit) return { budgetId: id, amount }
  throw invalidParameter('amount_usd must be more than the limit is now.')
}
