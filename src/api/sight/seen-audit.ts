// The audit log through a sight: what was changed of its teams, and of their keys and budgets. Must
// stay true: no line names another team, and none is of a key before it came from there.

import { parseScope } from '../../core/budget-scope.ts'
import { canChangeKey, canSeeBudget, canSeeScope } from '../../core/teams/sight.ts'
import type { FindKey, Sight } from '../../core/teams/sight.ts'
import type { AuditChange, AuditEntry } from '../../core/user.ts'
import type { AuditStore } from '../../store/settings/audit-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { onlyWith } from './only-with.ts'
import { readSeen } from './read-seen.ts'
import type { ReadKeys } from './seen-budgets.ts'

/** Read at once, of which few may be seen. */
const LINES_MAX = 1000

export function seeAudit(
  { audit, budgets }: Pick<SettingsStore, 'audit' | 'budgets'>,
  sight: Sight,
  readKeys: ReadKeys,
): AuditStore {
  /** The line by which a key came from elsewhere; 0 for one that was made here. */
  async function findArrival(id: string): Promise<number> {
    const moves = { noun: 'key', action: 'key.update', actorId: null, subjectId: id }
    const { entries, next } = await audit.list(moves, { before: null, rowsMax: LINES_MAX })
    const arrival = entries.find(
      ({ changes: { team_id: team } }) =>
        team !== undefined && !sight.teams.includes(String(team.before)),
    )
    // What is further back is not looked at.
    return arrival?.number ?? (next === null ? 0 : (entries.at(-1)?.number ?? 0))
  }

  return onlyWith({
    async list(filter, { before, rowsMax }) {
      const findKey = await readKeys()
      const own = (await budgets.list()).filter((each) => canSeeBudget(sight, each, findKey))
      const ids = new Set(own.map(({ id }) => id))
      const arrivals = new Map<string, number>()
      const { lines, next } = await readSeen(
        before,
        async (from) => {
          const page = await audit.list(filter, { before: from, rowsMax: LINES_MAX })
          return { lines: page.entries, next: page.next }
        },
        async (entries) => {
          const seen = entries.filter((entry) => isSeen(entry, { sight, findKey, budgets: ids }))
          for (const { action, subjectId: id } of seen) {
            if (id === null || !action.startsWith('key.') || arrivals.has(id)) continue
            arrivals.set(id, await findArrival(id))
          }
          return seen
            .filter(({ number, subjectId: id }) => number >= (arrivals.get(id ?? '') ?? 0))
            .map((entry) =>
              toSeen(entry, { sight, findKey, arrival: arrivals.get(entry.subjectId ?? '') }),
            )
        },
      )
      const entries = lines.slice(0, rowsMax)
      const isCut = entries.length < lines.length
      return { entries, next: isCut ? (entries.at(-1)?.number ?? null) : next }
    },
  })
}

interface Known {
  readonly sight: Sight
  readonly findKey: FindKey
  /** Those that are there and seen. */
  readonly budgets: ReadonlySet<string>
}

function isSeen({ action, subjectId, changes }: AuditEntry, known: Known): boolean {
  const { sight, findKey, budgets } = known
  const id = subjectId ?? ''
  if (action.startsWith('key.')) {
    const key = findKey(id)
    return key !== null && canChangeKey(sight, key)
  }
  if (/^(?:team|ask)\./.test(action)) return sight.teams.includes(id)
  // Of one that was deleted, the line says what it was about.
  const isOfOwn = budgets.has(id) || isNameable('scope', changes['scope']?.before ?? '', known)
  return action.startsWith('budget.') && isOfOwn
}

type Seeing = Pick<Known, 'sight' | 'findKey'> & { readonly arrival: number | undefined }

function toSeen(entry: AuditEntry, { arrival, ...seeing }: Seeing): AuditEntry {
  const changes = Object.entries(entry.changes).map(([name, change]) => {
    const sides = Object.entries(change as AuditChange).map(([side, value]: [string, unknown]) => {
      const isElsewhere = side === 'before' && entry.number === arrival
      return [side, isElsewhere || !isNameable(name, value, seeing) ? null : value]
    })
    return [name, Object.fromEntries(sides) as AuditChange]
  })
  return { ...entry, changes: Object.fromEntries(changes) as AuditEntry['changes'] }
}

/** Whether a member that may name a team names none but theirs. */
function isNameable(name: string, value: unknown, seeing: Omit<Seeing, 'arrival'>): boolean {
  const { sight, findKey } = seeing
  if (typeof value !== 'string') return true
  if (name === 'team_id' || name === 'parent_id') return sight.teams.includes(value)
  if (name !== 'scope') return true
  const parsed = parseScope(value)
  return 'scope' in parsed && canSeeScope(sight, parsed.scope, findKey)
}
