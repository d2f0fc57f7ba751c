// The sums of sessions as SQL. Must stay true: which sessions there are is decided by their months
// alone, of which an index has the rows; a session's other months are read by its name.

import { addFigures, createFigures } from '../../../core/usage-figures.ts'
import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlDatabase, SqlValue } from '../../sql/sql.ts'
import { SESSIONS_MAX } from '../session-log.ts'
import type { SessionLog, SessionQuestion, StoredSession } from '../session-log.ts'
import { DENIED_PART, fromSessionPart, mergeAbout, SESSION_OUTCOMES } from '../session-sums.ts'
import { ABOUT_COLUMNS, fromAboutColumns } from './about-columns.ts'
import type { Condition, Dialect } from './dialect.ts'
import { FIGURE_COLUMNS, fromColumns } from './figure-columns.ts'
import type { NameReader } from './name-reader.ts'
import { toNumber } from './period-ranges.ts'

export interface SessionsOptions {
  readonly names: NameReader
  readonly dialect: Pick<Dialect, 'isOneOf'>
  readonly sessionsMax?: number
}

const IDS = ['key_id', 'session', 'team', 'person', 'part'] as const
const COLUMNS = [...IDS, ...FIGURE_COLUMNS, ...ABOUT_COLUMNS]

export function createSessions(
  database: SqlDatabase,
  { names, dialect, sessionsMax = SESSIONS_MAX }: SessionsOptions,
): SessionLog {
  async function read(sql: Sql, question: SessionQuestion): Promise<readonly StoredSession[]> {
    const found = toFound(question, dialect)
    const text = `SELECT DISTINCT rows.key_id, rows.session FROM session_rollup AS rows
      WHERE ${found.sql}`
    const count = await sql.first<{ count: number }>(
      `SELECT COUNT(*) AS count FROM (${text} LIMIT ?) AS found`,
      [...found.parameters, sessionsMax + 1],
    )
    if ((count?.count ?? 0) > sessionsMax) throw tooMany(sessionsMax)
    const seen = toSeen(question, dialect)
    const rows = await sql.lists(
      `SELECT ${COLUMNS.map((column) => `rows.${column}`).join(', ')}
        FROM (${text}) AS found JOIN session_rollup AS rows
          ON rows.session = found.session AND rows.key_id = found.key_id
        WHERE ${seen.sql}`,
      [...found.parameters, ...seen.parameters],
    )
    const ids = new Set(rows.flatMap((row) => row.slice(0, IDS.length) as number[]))
    const nameOf = await names.read(sql, [...ids])
    return toSessions(rows, nameOf)
  }

  return { read: (question) => database.readSnapshot((sql) => read(sql, question)) }
}

function tooMany(sessionsMax: number): WeirError {
  return new WeirError(
    'invalid_parameter',
    `There are more than ${sessionsMax.toLocaleString('en')} sessions in this span.`,
    { hint: 'Take a shorter span by from and to, or one team, person or key.' },
  )
}

/** Which sessions are meant; for figures of some of their calls only, see toSeen. */
function toFound(question: SessionQuestion, dialect: SessionsOptions['dialect']): Condition {
  const { fromMs, toMs, only, tool, repository } = question
  const conditions: Condition[] = [toSeen(question, dialect)]
  if (only === undefined) {
    const months = [toNumber(fromMs, 'month'), toNumber(toMs - 1, 'month')]
    conditions.push({ sql: 'rows.period BETWEEN ? AND ?', parameters: months })
    conditions.push({ sql: 'rows.last_at >= ? AND rows.first_at < ?', parameters: [fromMs, toMs] })
  } else {
    conditions.push(isNamed('session', [only.session], dialect))
    conditions.push(isNamed('key_id', [only.keyId], dialect))
  }
  if (tool !== null) conditions.push(dialect.isOneOf('rows.tool', tool))
  if (repository !== null) conditions.push(dialect.isOneOf('rows.repository', repository))
  return join(conditions, 'AND')
}

/** Whose calls are summed: a session's key may have moved from a team to another. */
function toSeen(
  { keyId, team, person, sight }: SessionQuestion,
  dialect: SessionsOptions['dialect'],
): Condition {
  const conditions: Condition[] = [{ sql: 'TRUE', parameters: [] }]
  if (keyId !== null) conditions.push(isNamed('key_id', keyId, dialect))
  if (team !== null) conditions.push(isNamed('team', team, dialect))
  if (person !== null) conditions.push(isNamed('person', person, dialect))
  if (sight !== undefined) {
    const { teams, personId } = sight
    const either = [isNamed('team', teams, dialect)]
    if (personId !== null) either.push(isNamed('person', [personId], dialect))
    conditions.push(join(either, 'OR'))
  }
  return join(conditions, 'AND')
}

/** The name of no team is the empty one, which nobody asks for. */
function isNamed(
  column: (typeof IDS)[number],
  wanted: readonly string[],
  dialect: SessionsOptions['dialect'],
): Condition {
  const { sql, parameters } = dialect.isOneOf('name', wanted)
  return { sql: `rows.${column} IN (SELECT id FROM names WHERE ${sql})`, parameters }
}

function join(conditions: readonly Condition[], word: 'AND' | 'OR'): Condition {
  const parameters: SqlValue[] = conditions.flatMap((each) => [...each.parameters])
  return { sql: `(${conditions.map(({ sql }) => sql).join(` ${word} `)})`, parameters }
}

type OpenSession = { -readonly [Name in keyof StoredSession]: StoredSession[Name] }

function toSessions(
  rows: readonly (readonly unknown[])[],
  nameOf: (id: number) => string,
): readonly StoredSession[] {
  const sessions = new Map<string, OpenSession>()
  for (const row of rows) {
    const [keyId = '', session = '', team = '', person = '', part = ''] = row
      .slice(0, IDS.length)
      .map((id) => nameOf(id as number))
    const figures = fromColumns(
      row.slice(IDS.length, IDS.length + FIGURE_COLUMNS.length) as number[],
    )
    const about = fromAboutColumns(row.slice(IDS.length + FIGURE_COLUMNS.length))
    const place = `${keyId} ${session}`
    const owners = { teamId: team || null, personId: person || null }
    let known = sessions.get(place)
    if (known === undefined) {
      known = { denied: 0, keyId, session, ...owners, ...about, ...createSums() }
      sessions.set(place, known)
    } else {
      if (about.lastAt > known.lastAt) Object.assign(known, owners)
      Object.assign(known, mergeAbout(known, about))
    }
    addPart(known, part, figures)
  }
  return [...sessions.values()]
}

function createSums(): Pick<StoredSession, 'total' | 'outcomes' | 'subagents'> {
  const outcomes = Object.fromEntries(SESSION_OUTCOMES.map((each) => [each, createFigures()]))
  return {
    total: createFigures(),
    outcomes: outcomes as StoredSession['outcomes'],
    subagents: createFigures(),
  }
}

function addPart(session: OpenSession, part: string, figures: StoredSession['total']): void {
  if (part === DENIED_PART) {
    session.denied += figures.requests
    return
  }
  const { isSubagent, outcome } = fromSessionPart(part)
  addFigures(session.total, figures)
  addFigures(session.outcomes[outcome], figures)
  if (isSubagent) addFigures(session.subagents, figures)
}
