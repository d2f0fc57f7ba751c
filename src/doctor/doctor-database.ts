// What `weir doctor` checks about databases that nodes share, and about the nodes.

import type { Config } from '../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../config/store-locations.ts'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { CLOCK_OFFSET_MS_MAX, lacksLeader } from '../store/nodes/node-store.ts'
import type { NodeList } from '../store/nodes/node-store.ts'
import { openNodeStore } from '../store/open-store.ts'
import { readDatabaseFacts } from '../store/databases.ts'
import type { DatabaseFacts } from '../store/databases.ts'
import { checkCalls } from './doctor-calls.ts'
import { fault, good, warning } from './finding.ts'
import type { Finding } from './finding.ts'
import { judgeNodes, NO_LEADER } from '../store/nodes/judge-nodes.ts'

const VERSION_MIN = 150_000
/** As long as Weir lets its own statements run. */
const STATEMENT_MS_MIN = 30_000
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|%2f.*|)$/i

/** Empty where all is in files. */
export async function checkDatabases(config: Config, clock: Clock): Promise<Finding[]> {
  const { url: settings } = toSettingsLocation(config)
  const { url: usage, callsUrl } = toUsageLocation(config)
  if (settings === null || usage === null) return []
  const urls = [...new Set([settings, usage])]
  const findings: Finding[] = []
  for (const url of urls) {
    findings.push(...(await checkDatabase(url, { clock, hasSettings: url === settings })))
  }
  if (callsUrl !== null) findings.push(...(await checkCalls(callsUrl, clock)))
  if (findings.some(({ level }) => level === 'fault')) return findings
  return [...findings, ...(await checkNodes(settings))]
}

interface DatabaseContext {
  readonly clock: Clock
  readonly hasSettings: boolean
}

async function checkDatabase(url: string, context: DatabaseContext): Promise<Finding[]> {
  try {
    const facts = await readDatabaseFacts({ url, clock: context.clock })
    const place = toPlace(url)
    const text = `PostgreSQL ${facts.versionText} at ${place}`
    if (facts.version < VERSION_MIN) {
      return [fault('database', `${text} is too old`, 'Use PostgreSQL 15 or newer.')]
    }
    return [
      good('database', text),
      ...checkTls(url),
      ...checkTimeout(place, facts.statementMsMax),
      ...checkCommits(place, facts),
      ...checkRights(place, facts),
      ...(context.hasSettings ? checkLimitTables(place, facts) : []),
      ...(context.hasSettings ? checkOffset(facts) : []),
    ]
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    return [fault('database', error.message, error.hint ?? 'Is it running, and is the URL right?')]
  }
}

const NAMED_MAX = 3

function checkRights(place: string, facts: DatabaseFacts): Finding[] {
  const { user, isReadOnly, canCreate, refusedTables, notOwnedTables } = facts
  const tell = (text: string, remedy: string): Finding =>
    fault('database', `${text} at ${place}`, remedy)
  if (isReadOnly) {
    const remedy = `Name the primary server in the URL, or set default_transaction_read_only to off for ${user}.`
    return [tell('nothing can be changed', remedy)]
  }
  const named = refusedTables.slice(0, NAMED_MAX).join(', ')
  const more =
    refusedTables.length > NAMED_MAX ? ` and ${refusedTables.length - NAMED_MAX} more` : ''
  const owner = `Make ${user} the owner of Weir's tables (ALTER TABLE … OWNER TO ${user}), or a member of the role that is.`
  return [
    ...(canCreate
      ? []
      : [
          tell(
            `${user} may not create tables`,
            `GRANT USAGE, CREATE ON SCHEMA public TO ${user}; a table is made for each month.`,
          ),
        ]),
    ...(named === '' ? [] : [tell(`${user} may not read and change ${named}${more}`, owner)]),
    ...(named === '' && notOwnedTables.length > 0
      ? [tell(`${user} does not own ${notOwnedTables.join(', ')}: no month can be added`, owner)]
      : []),
  ]
}

/** Of the other tables, whoever opens them says so. */
function checkLimitTables(place: string, { outdated }: DatabaseFacts): Finding[] {
  if (!outdated.includes('limits') || outdated.includes('settings')) return []
  const text = `the tables of limits at ${place} are missing or too old`
  return [fault('database', text, 'Run weir migrate with this version of Weir.')]
}

function checkOffset({ clockOffsetMs }: DatabaseFacts): Finding[] {
  if (Math.abs(clockOffsetMs) <= CLOCK_OFFSET_MS_MAX) return []
  const seconds = (Math.abs(clockOffsetMs) / 1000).toFixed(1)
  const side = clockOffsetMs > 0 ? 'ahead of' : 'behind'
  const text = `this machine's is ${seconds} s ${side} the database's`
  return [warning('clock', text, 'Set both by NTP: calls are dated by the clock of their node.')]
}

function checkTls(url: string): Finding[] {
  const { hostname, searchParams } = new URL(url)
  const mode = searchParams.get('sslmode') ?? 'disable'
  if (LOOPBACK.test(hostname) || (mode !== 'disable' && mode !== 'no-verify')) return []
  const state = mode === 'disable' ? 'is not encrypted' : 'does not check the certificate'
  const remedy =
    'Add ?sslmode=verify-full to the URL, with sslrootcert=FILE for your own authority.'
  return [warning('database', `the connection to ${toPlace(url)} ${state}`, remedy)]
}

function checkTimeout(place: string, statementMsMax: number): Finding[] {
  if (statementMsMax === 0 || statementMsMax >= STATEMENT_MS_MIN) return []
  const text = `statement_timeout at ${place} is ${statementMsMax} ms`
  const remedy = `Set it to 0 or at least ${STATEMENT_MS_MIN} ms for Weir's user: Weir has limits of its own.`
  return [warning('database', text, remedy)]
}

function checkCommits(place: string, { isDurable, user }: DatabaseFacts): Finding[] {
  if (isDurable) return []
  const text = `synchronous_commit at ${place} is off: a crash of PostgreSQL loses calls for good`
  return [warning('database', text, `Set it to on, at least for ${user}.`)]
}

async function checkNodes(url: string): Promise<Finding[]> {
  try {
    const store = await openNodeStore({ url })
    try {
      return toNodeFindings(await store.list())
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof WeirError)) throw error
    return [fault('nodes', error.message, error.hint ?? 'Run weir migrate.')]
  }
}

function toNodeFindings(list: NodeList): Finding[] {
  const nodes = judgeNodes(list)
  const leaderless = warning('nodes', NO_LEADER, 'Start weir api on one machine.')
  const own = nodes.flatMap(({ id, host, warnings }) =>
    warnings.map((text) =>
      warning('nodes', `${id.slice(0, 8)} on ${host}: ${text}`, 'See weir nodes, and its log.'),
    ),
  )
  const found = [...(lacksLeader(list) ? [leaderless] : []), ...own]
  const running = nodes.filter(({ state }) => state !== 'left').length
  return found.length > 0 ? found : [good('nodes', `${running} running, all alike`)]
}

/** Without user and password. */
function toPlace(url: string): string {
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(host)}${pathname}`
}
