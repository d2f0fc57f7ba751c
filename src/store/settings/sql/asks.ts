// Asks for more. Must stay true: an ask, its line in the audit log and what is told of it are
// written in one transaction; an ask is decided once.

import { randomBytes } from 'node:crypto'
import { ASK_KINDS, ASK_STATUSES, ASKS_KEPT_MAX, ASKS_OPEN_MAX } from '../../../core/asks/ask.ts'
import type { Ask, AskDecision } from '../../../core/asks/ask.ts'
import { assert } from '../../../core/assert.ts'
import type { AuditAction } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { toMembers } from '../../sql/members.ts'
import type { Sql } from '../../sql/sql.ts'
import type { AskStore } from '../ask-store.ts'
import { insertAlert } from './alerts.ts'
import type { SettingsTools } from './tools.ts'

interface AskRow {
  id: string
  team_id: string
  person_id: string
  email: string
  kind: string
  key_id: string | null
  budget_id: string | null
  /** Of picos, as decimal text; the same below. */
  amount: string | null
  note: string | null
  status: string
  created_at: number
  decided_at: number | null
  decided_by: string | null
  answer: string | null
  granted: string | null
}

const PLAIN = [
  ...(['id', 'team_id', 'person_id', 'email', 'key_id', 'budget_id', 'note'] as const),
  ...(['created_at', 'decided_at', 'decided_by', 'answer'] as const),
]
const COLUMNS = [...PLAIN, 'kind', 'amount', 'status', 'granted'] as const
const INSERT = `INSERT INTO asks (${COLUMNS.join(', ')})
  VALUES (${COLUMNS.map((column) => `:${column}`).join(', ')})`
const DECIDE = `UPDATE asks SET status = :status, decided_at = :decided_at,
  decided_by = :decided_by, answer = :answer, granted = :granted WHERE id = :id`
const PRUNE = `DELETE FROM asks WHERE status <> 'open' AND number <= (
  SELECT number FROM asks ORDER BY number DESC LIMIT 1 OFFSET ${ASKS_KEPT_MAX})`
const ACTIONS = {
  approved: 'ask.approve',
  declined: 'ask.decline',
  closed: 'ask.close',
} as const satisfies Readonly<Record<AskDecision['status'], AuditAction>>

export function createAsks(tools: SettingsTools): AskStore {
  const { database, clock } = tools
  return {
    create: (asked, toAlert) =>
      database.transact(async (sql) => {
        const own = await sql.first<{ n: number }>(
          `SELECT COUNT(*) AS n FROM asks WHERE person_id = ? AND status = 'open'`,
          [asked.personId],
        )
        if (Number(own?.n) >= ASKS_OPEN_MAX) {
          throw refuse(`You have ${ASKS_OPEN_MAX} open asks, the most there can be.`, {
            hint: 'Wait for an answer, or withdraw one.',
          })
        }
        const undecided = { decidedAt: null, decidedBy: null, answer: null, granted: null }
        const id = `ask_${randomBytes(8).toString('hex')}`
        const ask: Ask = { ...asked, id, status: 'open', createdAt: clock.now(), ...undecided }
        await sql.run(INSERT, { ...toRow(ask) })
        await sql.run(PRUNE)
        await note(sql, tools, { ask, action: 'ask.create' })
        await insertAlert(sql, toAlert(ask), clock.now())
        return ask
      }),

    async list({ status } = {}) {
      const order = 'ORDER BY number DESC'
      const rows = await (status === undefined
        ? database.all<AskRow>(`SELECT * FROM asks ${order}`)
        : database.all<AskRow>(`SELECT * FROM asks WHERE status = ? ${order}`, [status]))
      return rows.map(fromRow)
    },

    find: (id) => find(database, id),

    decide: (id, decision, toAlert) =>
      database.transact(async (sql) => {
        const ask = await find(sql, id)
        if (ask === null) return null
        if (ask.status !== 'open') {
          throw refuse(`It is ${ask.status} already.`, { hint: 'Look at it again.' })
        }
        const decided = await write(sql, tools, { ask, decision })
        await insertAlert(sql, toAlert(decided), clock.now())
        return decided
      }),
  }
}

/** Of a person who has left, the team or Weir. Nobody is told. */
export async function closeAsks(
  sql: Sql,
  tools: SettingsTools,
  { personId, teamId = null }: { readonly personId: string; readonly teamId?: string | null },
): Promise<void> {
  const text = `SELECT * FROM asks WHERE person_id = ? AND status = 'open'`
  for (const row of await sql.all<AskRow>(text, [personId])) {
    if (teamId !== null && row.team_id !== teamId) continue
    const decision = { status: 'closed', answer: null, granted: null } as const
    await write(sql, tools, { ask: fromRow(row), decision })
  }
}

async function write(
  sql: Sql,
  tools: SettingsTools,
  { ask, decision }: { readonly ask: Ask; readonly decision: AskDecision },
): Promise<Ask> {
  const by = { decidedAt: tools.clock.now(), decidedBy: tools.actorName }
  const decided = { ...ask, ...decision, ...by }
  const { id, status, decided_at, decided_by, answer, granted } = toRow(decided)
  await sql.run(DECIDE, { id, status, decided_at, decided_by, answer, granted })
  await note(sql, tools, { ask: decided, action: ACTIONS[decision.status] })
  return decided
}

/** About the team, so that its leads find it there. */
async function note(
  sql: Sql,
  { writeAudit }: SettingsTools,
  { ask, action }: { readonly ask: Ask; readonly action: AuditAction },
): Promise<void> {
  const team = await sql.first<{ name: string }>('SELECT name FROM teams WHERE id = ?', [
    ask.teamId,
  ])
  const { kind, key_id, budget_id, amount, granted, answer } = toRow(ask)
  const facts = { ask: ask.id, person: ask.email, kind, key_id, budget_id, amount, granted, answer }
  const given = Object.entries(facts).filter(([, value]) => value !== null)
  const changes = Object.fromEntries(given.map(([name, value]) => [name, { after: value }]))
  await writeAudit(sql, {
    action,
    subjectId: ask.teamId,
    subjectName: team?.name ?? ask.teamId,
    changes,
  })
}

async function find(sql: Sql, id: string): Promise<Ask | null> {
  const row = await sql.first<AskRow>('SELECT * FROM asks WHERE id = ?', [id])
  return row === null ? null : fromRow(row)
}

function refuse(message: string, options: { readonly hint: string }): WeirError {
  return new WeirError('invalid_argument', message, options)
}

function fromRow(row: AskRow): Ask {
  const kind = ASK_KINDS.find((each) => each === row.kind)
  const status = ASK_STATUSES.find((each) => each === row.status)
  assert(kind !== undefined && status !== undefined, 'a stored ask is of a known kind and status')
  const { amount, granted } = row
  return {
    ...toMembers(row, PLAIN),
    kind,
    status,
    amount: amount === null ? null : BigInt(amount),
    granted: granted === null ? null : BigInt(granted),
  }
}

function toRow(ask: Ask): AskRow {
  return {
    id: ask.id,
    team_id: ask.teamId,
    person_id: ask.personId,
    email: ask.email,
    kind: ask.kind,
    key_id: ask.keyId,
    budget_id: ask.budgetId,
    amount: ask.amount === null ? null : String(ask.amount),
    note: ask.note,
    status: ask.status,
    created_at: ask.createdAt,
    decided_at: ask.decidedAt,
    decided_by: ask.decidedBy,
    answer: ask.answer,
    granted: ask.granted === null ? null : String(ask.granted),
  }
}
