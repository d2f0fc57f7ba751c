// The commands, in the order of the help. Must stay true: a command's file is loaded only when it
// is called, since each loads much of the program.

import { assert } from '../core/assert.ts'
import type { Commands, ListedCommand } from './command.ts'

export const COMMANDS: readonly ListedCommand[] = [
  ...listed(() => import('./nodes/run-node.ts'), {
    start: 'Run Weir: the proxy, the API and the console.',
    proxy: 'Run a proxy of several that share a PostgreSQL database.',
    api: 'Run an API and console of several that share a PostgreSQL database.',
  }),
  ...listed(() => import('./nodes/drain.ts'), {
    drain: 'End the node of this data directory once its calls are stored. Exit code 1 if not.',
  }),
  ...listed(() => import('./nodes/nodes.ts'), {
    'nodes forget': 'Remove a node that will not come back from the list.',
    nodes: 'List the nodes: version, role, lag, clock, configuration, last heartbeat.',
  }),
  ...listed(() => import('./data/setup-link.ts'), {
    'setup-link': 'Print the one-time link of the first administrator.',
  }),
  ...listed(() => import('./keys/keys.ts'), {
    'keys create': 'Create an API key for a caller of the proxy.',
    'keys list': 'List the API keys, including paused, expired and revoked ones.',
    'keys update': 'Change what an API key may do. Each option replaces what the key had.',
    'keys rotate': 'Give an API key a new secret under the same id; the old secret stops working.',
    'keys pause': 'Refuse the calls of an API key until it is resumed.',
    'keys resume': 'Let a paused API key call again.',
    'keys revoke': 'Revoke an API key for good. What it spent stays on record.',
    'keys check': 'Check whether a key may use a model, and why. Exit code 1 if it may not.',
  }),
  ...listed(() => import('./connect/connect.ts'), {
    connect: 'Set up claude, codex, gemini or opencode on this machine to call through Weir.',
  }),
  ...listed(() => import('./teams/teams.ts'), {
    'teams create':
      'Create a team: its keys stay within its limits, and their calls are booked to it.',
    'teams list': 'List the teams, including archived ones.',
    'teams show': 'Show a team, and how many keys are beyond its limits.',
    'teams update': 'Change a team. Its limits are for keys that are made or changed from then on.',
    'teams archive': 'Archive a team. Its keys go on, and what it spent stays on record.',
    'teams restore': 'Make an archived team active again; its former members are not in it.',
    'teams members': 'List who is in a team.',
    'teams add': 'Add someone to a team, or change their role there.',
    'teams remove': 'Take someone out of a team. Their personal keys stay.',
  }),
  ...listed(() => import('./teams/adopt.ts'), {
    'teams adopt':
      'Make teams out of a dimension that keys have locked, with their keys and past calls.',
  }),
  ...listed(() => import('./sessions.ts'), {
    'sessions show': 'Show a session: its agents, its calls, what was wasted.',
    sessions: 'List the sessions of coding agents, the most expensive first.',
    developers: 'List what each person spends with each coding agent.',
  }),
  ...listed(() => import('./tokens/tokens.ts'), {
    'tokens create': 'Create an access token for the API.',
    'tokens list': 'List the access tokens, including expired and revoked ones.',
    'tokens revoke': 'Revoke an access token for good.',
  }),
  ...listed(() => import('./audit.ts'), {
    audit: 'List who changed what: keys, budgets, prices, users, sign-ins; or export it.',
  }),
  ...listed(() => import('./users/users.ts'), {
    'users create': 'Invite someone to the console with a one-time link.',
    'users list': 'List the users of the console.',
    'users update': 'Change a user: role, name, or whether they may sign in.',
    'users link': 'Create a new one-time link for a user who cannot sign in.',
    'users remove': 'Remove a user. What they did stays in the audit log.',
  }),
  ...listed(() => import('./budgets/budgets.ts'), {
    'budgets create':
      'Create a budget: alerts at percentages of a limit and, optionally, refused calls above it.',
    'budgets list': 'List the budgets: spent, limit, and forecast for the period.',
    'budgets show': 'Show a budget and what it spent in each of its periods.',
    'budgets members': 'Who has spent how much of a limit that each key, person or team has.',
    'budgets near': 'Who is nearest to a limit that each has, over all budgets.',
    'budgets update': 'Change a budget. Its thresholds are checked again at once.',
    'budgets delete': 'Delete a budget. What calls cost stays on record.',
    'budgets test': 'Send a test alert to all targets of a budget. Exit code 1 if one fails.',
  }),
  ...listed(() => import('./asks/asks.ts'), {
    'asks list': 'List who asks for more than a limit.',
    'asks approve': 'Say yes to an ask: the person has the limit from then on.',
    'asks decline': 'Say no to an ask.',
  }),
  ...listed(() => import('./alerts/alerts-list.ts'), {
    'alerts list': 'List past alerts, with every attempt to deliver them.',
  }),
  ...listed(() => import('./alerts/alerts-mark.ts'), {
    'alerts acknowledge': 'Say that unusual spend is known: it is no longer shown as open.',
    'alerts snooze': 'Hide unusual spend for a while, unless it more than doubles.',
    'alerts reopen': 'Show unusual spend as open again.',
  }),
  ...listed(() => import('./alerts/alerts-targets.ts'), {
    'alerts targets': 'List the targets of alerts that belong to no budget, such as anomalies.',
    'alerts add': 'Add a target for alerts that belong to no budget.',
    'alerts test': 'Send a test alert to one target. Exit code 1 if it fails.',
    'alerts remove': 'Remove a target of alerts that belong to no budget.',
  }),
  ...listed(() => import('./prices/prices-show.ts'), {
    'prices show':
      'Show what a model costs in each tier and region, and where the price comes from.',
  }),
  ...listed(() => import('./prices/prices-quote.ts'), {
    'prices quote': 'Calculate what given usage would cost in a tier and region: units × rates.',
  }),
  ...listed(() => import('./prices/prices-set.ts'), {
    'prices set': 'Set your own price for a model, or a factor on the listed one.',
  }),
  ...listed(() => import('./prices/prices-list.ts'), {
    'prices list': 'List your own prices, and the version of the price data beneath them.',
    'prices unset': 'Remove a price rule; "imported" removes the imported price data.',
  }),
  ...listed(() => import('./prices/prices-missing.ts'), {
    'prices missing': 'List the models used without a price, with the command that sets one.',
  }),
  ...listed(() => import('./prices/prices-data.ts'), {
    'prices update': 'Fetch newer price data and apply it; --check only shows what would change.',
    'prices import': 'Import newer price data from a file, for machines without internet access.',
    'prices export': 'Write all listed prices to one file, to import on another machine.',
  }),
  ...listed(() => import('./requests.ts'), {
    requests: 'List recorded calls, newest first; --follow goes on with new ones.',
  }),
  ...listed(() => import('./prices/explain.ts'), {
    explain: 'Show a recorded call, and how its cost was calculated.',
  }),
  ...listed(() => import('./prices/reprice.ts'), {
    reprice: 'Reprice recorded calls. Shows what would change; --apply changes it.',
  }),
  ...listed(() => import('./journal/journal-inspect.ts'), {
    'journal inspect':
      'Show what is in the journals: segments, calls, damage, and what is stored already.',
  }),
  ...listed(() => import('./journal/journal-replay.ts'), {
    'journal replay':
      'Retry storing the calls that were put aside. Exit code 1 if some still cannot be stored.',
  }),
  ...listed(() => import('./data/rollups-rebuild.ts'), {
    'rollups rebuild': 'Sum the recorded calls from scratch, and fix sums that are wrong.',
  }),
  ...listed(() => import('./usage/usage.ts'), {
    usage: 'Show what was spent: an overview, or the answer to one question.',
  }),
  ...listed(() => import('./analysis/analyze.ts'), {
    analyze: 'Ask anything about usage: any hours, groups, filters, times, a comparison.',
  }),
  ...listed(() => import('./usage/export.ts'), {
    export: 'Export the calls of a month as CSV, for finance.',
  }),
  ...listed(() => import('./data/backup.ts'), {
    backup: 'Back up settings and usage to one file, while Weir runs.',
    restore: 'Replace settings and usage with a backup, while Weir is stopped.',
  }),
  ...listed(() => import('./data/migrate.ts'), {
    migrate: 'Make or update the tables on PostgreSQL and ClickHouse, before a new version starts.',
  }),
  ...listed(() => import('./data/migrate-data.ts'), {
    'migrate-data': 'Move a data directory into PostgreSQL, or calls into ClickHouse.',
  }),
  ...listed(() => import('./doctor.ts'), {
    doctor: 'Check configuration, disk, engines, journal, record, prices and clock.',
  }),
  {
    path: ['completion'],
    summary: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion.ts')).createCompletionCommand(COMMANDS),
  },
]

/** Those of one file. */
function listed(
  load: () => Promise<{ readonly commands: Commands }>,
  summaries: Readonly<Record<string, string>>,
): readonly ListedCommand[] {
  return Object.entries(summaries).map(([call, summary]) => ({
    path: call.split(' '),
    summary,
    load: async () => {
      const { [call]: command } = (await load()).commands
      assert(command !== undefined, `no file has the command ${call}`)
      return command
    },
  }))
}
