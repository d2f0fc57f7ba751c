// Says of an alert of a budget whom it is about and who is to hear of it: whose key or limit it is,
// and the leads of the team. The ledger knows ids alone. Must stay true: an alert leaves without a
// name rather than not at all, and nobody hears of what they may not see.

import type { AddressedAlert, Alert, AlertRecipient } from '../core/alert.ts'
import type { Budget, BudgetScope } from '../core/budget.ts'
import { factNameOf } from '../core/teams/team.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'

type Sources = Pick<SettingsStore, 'budgets' | 'keys' | 'teams' | 'users'>

interface Subject {
  readonly kind: string
  readonly id: string
}

interface Body {
  readonly data?: { readonly member?: Subject & { readonly name: string | null } }
}

/** Who is behind a key, a person or a team. */
interface Party {
  readonly name: string | null
  readonly personId: string | null
  readonly teamId: string | null
}

const NOBODY: Party = { name: null, personId: null, teamId: null }
/** Of one alert: a team of many leads is told by a target. */
export const RECIPIENTS_MAX = 20

export interface AddressingOptions {
  /** Otherwise people are only named in what webhooks are sent. */
  readonly canMail: boolean
}

export function createAddressing(sources: Sources, { canMail }: AddressingOptions) {
  return async (alerts: readonly Alert[]): Promise<readonly AddressedAlert[]> => {
    if (alerts.every(({ budgetId }) => budgetId === null)) return alerts
    const budgets = new Map((await sources.budgets.list()).map((budget) => [budget.id, budget]))
    const people = createPeople(sources)
    const addressed: AddressedAlert[] = []
    for (const alert of alerts) {
      const budget = budgets.get(alert.budgetId ?? '') ?? null
      addressed.push(await addressOne(alert, { budget, people, canMail }))
    }
    return addressed
  }
}

interface Addressing extends AddressingOptions {
  /** Null for one that was deleted. */
  readonly budget: Budget | null
  readonly people: ReturnType<typeof createPeople>
}

async function addressOne(
  alert: Alert,
  { budget, people, canMail }: Addressing,
): Promise<AddressedAlert> {
  const body = JSON.parse(alert.body) as Body
  const { member } = body.data ?? {}
  const subject = member ?? (budget === null ? null : toSubject(budget.scope))
  if (subject === null) return alert
  const party = await people.find(subject)
  const isMailed = budget !== null && !budget.isTargetsOnly
  const recipients = isMailed ? await people.listRecipients(party, budget.scope) : []
  if (member === undefined && recipients.length === 0) return alert
  const data = {
    ...body.data,
    ...(member !== undefined && { member: { ...member, name: party.name } }),
    ...(recipients.length > 0 && {
      recipients: recipients.map(({ email, role }) => ({ email, role })),
    }),
  }
  return {
    ...alert,
    body: JSON.stringify({ ...body, data }),
    ...(canMail && { recipients }),
  }
}

/** Null for what is nobody's: of a model or a tag, of everything. */
function toSubject(scope: BudgetScope): Subject | null {
  if (scope.kind === 'api_key') return { kind: 'key', id: scope.keyId }
  const kind = scope.kind === 'dim' ? factNameOf(scope.key) : null
  return scope.kind === 'dim' && kind !== null ? { kind, id: scope.value } : null
}

/** Several thresholds of one member come together: each question is asked once. */
function createPeople({ keys, teams, users }: Sources) {
  const parties = new Map<string, Promise<Party>>()
  const leads = new Map<string, Promise<readonly AlertRecipient[]>>()
  let allKeys: ReturnType<Sources['keys']['list']> | null = null

  async function read({ kind, id }: Subject): Promise<Party> {
    if (kind === 'key')
      return (await (allKeys ??= keys.list())).find((key) => key.id === id) ?? NOBODY
    if (kind === 'team') {
      return { name: (await teams.find({ id }))?.name ?? null, personId: null, teamId: id }
    }
    const name = kind === 'person' ? ((await users.find({ id }))?.email ?? null) : null
    return { name, personId: kind === 'person' ? id : null, teamId: null }
  }

  /** Where a team has none itself, those of its department. */
  async function readLeads(teamId: string): Promise<readonly AlertRecipient[]> {
    const own = (await teams.listMembers(teamId)).filter(
      ({ role, isDisabled }) => role === 'lead' && !isDisabled,
    )
    if (own.length > 0) return own.map(({ userId, email }) => ({ userId, email, role: 'lead' }))
    const parentId = (await teams.find({ id: teamId }))?.parentId ?? null
    return parentId === null ? [] : readLeads(parentId)
  }

  async function findOwner(id: string | null): Promise<readonly AlertRecipient[]> {
    const user = id === null ? null : await users.find({ id })
    if (user === null || user.disabledAt !== null) return []
    return [{ userId: user.id, email: user.email, role: 'owner' }]
  }

  return {
    find: (subject: Subject): Promise<Party> =>
      remember(parties, `${subject.kind} ${subject.id}`, () => read(subject)),

    /** Of a person's own limit leads hear where it is about their team alone. */
    async listRecipients(
      { personId, teamId }: Party,
      scope: BudgetScope,
    ): Promise<readonly AlertRecipient[]> {
      const subject = toSubject(scope)
      const ledId = teamId ?? (subject?.kind === 'team' ? subject.id : null)
      const owner = await findOwner(personId)
      const led = ledId === null ? [] : await remember(leads, ledId, () => readLeads(ledId))
      const isOther = ({ userId }: AlertRecipient): boolean => userId !== owner[0]?.userId
      return [...owner, ...led.filter(isOther)].slice(0, RECIPIENTS_MAX)
    },
  }
}

function remember<Value>(
  known: Map<string, Promise<Value>>,
  id: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(id) ?? read()
  known.set(id, value)
  return value
}
