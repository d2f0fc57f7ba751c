// The commands, in the order of the help. Must stay true: a command's file is loaded only when it
// is called, since each loads much of the program.

import type { ListedCommand } from './command.ts'

export const COMMANDS: readonly ListedCommand[] = [
  {
    path: ['start'],
    summary: 'Run Weir: the proxy, the API and the console.',
    load: async () => (await import('./nodes/run-node.ts')).startCommand,
  },
  {
    path: ['proxy'],
    summary: 'Run a proxy of several that share a PostgreSQL database.',
    load: async () => (await import('./nodes/run-node.ts')).proxyCommand,
  },
  {
    path: ['api'],
    summary: 'Run an API and console of several that share a PostgreSQL database.',
    load: async () => (await import('./nodes/run-node.ts')).apiCommand,
  },
  {
    path: ['drain'],
    summary: 'End the node of this data directory once its calls are stored. Exit code 1 if not.',
    load: async () => (await import('./nodes/drain.ts')).drainCommand,
  },
  {
    path: ['nodes', 'forget'],
    summary: 'Remove a node that will not come back from the list.',
    load: async () => (await import('./nodes/nodes-forget.ts')).nodesForgetCommand,
  },
  {
    path: ['nodes'],
    summary: 'List the nodes: version, role, lag, clock, configuration, last heartbeat.',
    load: async () => (await import('./nodes/nodes-list.ts')).nodesListCommand,
  },
  {
    path: ['setup-link'],
    summary: 'Print the one-time link of the first administrator.',
    load: async () => (await import('./users/setup-link.ts')).setupLinkCommand,
  },
  {
    path: ['keys', 'create'],
    summary: 'Create an API key for a caller of the proxy.',
    load: async () => (await import('./keys/keys-create.ts')).keysCreateCommand,
  },
  {
    path: ['keys', 'list'],
    summary: 'List the API keys, including expired and revoked ones.',
    load: async () => (await import('./keys/keys-list.ts')).keysListCommand,
  },
  {
    path: ['keys', 'update'],
    summary: 'Change what an API key may do. Each option replaces what the key had.',
    load: async () => (await import('./keys/keys-update.ts')).keysUpdateCommand,
  },
  {
    path: ['keys', 'rotate'],
    summary: 'Give an API key a new secret under the same id; the old secret stops working.',
    load: async () => (await import('./keys/keys-rotate.ts')).keysRotateCommand,
  },
  {
    path: ['keys', 'revoke'],
    summary: 'Revoke an API key for good. What it spent stays on record.',
    load: async () => (await import('./keys/keys-revoke.ts')).keysRevokeCommand,
  },
  {
    path: ['keys', 'check'],
    summary: 'Check whether a key may use a model, and why. Exit code 1 if it may not.',
    load: async () => (await import('./keys/keys-check.ts')).keysCheckCommand,
  },
  {
    path: ['tokens', 'create'],
    summary: 'Create an access token for the API.',
    load: async () => (await import('./tokens/tokens-create.ts')).tokensCreateCommand,
  },
  {
    path: ['tokens', 'list'],
    summary: 'List the access tokens, including expired and revoked ones.',
    load: async () => (await import('./tokens/tokens-list.ts')).tokensListCommand,
  },
  {
    path: ['tokens', 'revoke'],
    summary: 'Revoke an access token for good.',
    load: async () => (await import('./tokens/tokens-revoke.ts')).tokensRevokeCommand,
  },
  {
    path: ['users', 'create'],
    summary: 'Invite someone to the console with a one-time link.',
    load: async () => (await import('./users/users-create.ts')).usersCreateCommand,
  },
  {
    path: ['users', 'list'],
    summary: 'List the users of the console.',
    load: async () => (await import('./users/users-list.ts')).usersListCommand,
  },
  {
    path: ['users', 'update'],
    summary: 'Change a user: role, name, or whether they may sign in.',
    load: async () => (await import('./users/users-update.ts')).usersUpdateCommand,
  },
  {
    path: ['users', 'link'],
    summary: 'Create a new one-time link for a user who cannot sign in.',
    load: async () => (await import('./users/users-link.ts')).usersLinkCommand,
  },
  {
    path: ['users', 'remove'],
    summary: 'Remove a user. What they did stays in the audit log.',
    load: async () => (await import('./users/users-remove.ts')).usersRemoveCommand,
  },
  {
    path: ['budgets', 'create'],
    summary:
      'Create a budget: alerts at percentages of a limit and, optionally, refused calls above it.',
    load: async () => (await import('./budgets/budgets-create.ts')).budgetsCreateCommand,
  },
  {
    path: ['budgets', 'list'],
    summary: 'List the budgets: spent, limit, and forecast for the period.',
    load: async () => (await import('./budgets/budgets-list.ts')).budgetsListCommand,
  },
  {
    path: ['budgets', 'show'],
    summary: 'Show a budget and what it spent in each of its periods.',
    load: async () => (await import('./budgets/budgets-show.ts')).budgetsShowCommand,
  },
  {
    path: ['budgets', 'update'],
    summary: 'Change a budget. Its thresholds are checked again at once.',
    load: async () => (await import('./budgets/budgets-update.ts')).budgetsUpdateCommand,
  },
  {
    path: ['budgets', 'delete'],
    summary: 'Delete a budget. What calls cost stays on record.',
    load: async () => (await import('./budgets/budgets-delete.ts')).budgetsDeleteCommand,
  },
  {
    path: ['budgets', 'test'],
    summary: 'Send a test alert to all targets of a budget. Exit code 1 if one fails.',
    load: async () => (await import('./budgets/budgets-test.ts')).budgetsTestCommand,
  },
  {
    path: ['alerts', 'list'],
    summary: 'List past alerts, with every attempt to deliver them.',
    load: async () => (await import('./alerts/alerts-list.ts')).alertsListCommand,
  },
  {
    path: ['alerts', 'acknowledge'],
    summary: 'Say that unusual spend is known: it is no longer shown as open.',
    load: async () => (await import('./alerts/alerts-acknowledge.ts')).alertsAcknowledgeCommand,
  },
  {
    path: ['alerts', 'snooze'],
    summary: 'Hide unusual spend for a while, unless it more than doubles.',
    load: async () => (await import('./alerts/alerts-snooze.ts')).alertsSnoozeCommand,
  },
  {
    path: ['alerts', 'reopen'],
    summary: 'Show unusual spend as open again.',
    load: async () => (await import('./alerts/alerts-reopen.ts')).alertsReopenCommand,
  },
  {
    path: ['alerts', 'targets'],
    summary: 'List the targets of alerts that belong to no budget, such as anomalies.',
    load: async () => (await import('./alerts/alerts-targets.ts')).alertsTargetsCommand,
  },
  {
    path: ['alerts', 'add'],
    summary: 'Add a target for alerts that belong to no budget.',
    load: async () => (await import('./alerts/alerts-add.ts')).alertsAddCommand,
  },
  {
    path: ['alerts', 'test'],
    summary: 'Send a test alert to one target. Exit code 1 if it fails.',
    load: async () => (await import('./alerts/alerts-test.ts')).alertsTestCommand,
  },
  {
    path: ['alerts', 'remove'],
    summary: 'Remove a target of alerts that belong to no budget.',
    load: async () => (await import('./alerts/alerts-remove.ts')).alertsRemoveCommand,
  },
  {
    path: ['prices', 'show'],
    summary: 'Show what a model costs in each tier and region, and where the price comes from.',
    load: async () => (await import('./prices/prices-show.ts')).pricesShowCommand,
  },
  {
    path: ['prices', 'quote'],
    summary: 'Calculate what given usage would cost in a tier and region: units × rates.',
    load: async () => (await import('./prices/prices-quote.ts')).pricesQuoteCommand,
  },
  {
    path: ['prices', 'set'],
    summary: 'Set your own price for a model, or a factor on the listed one.',
    load: async () => (await import('./prices/prices-set.ts')).pricesSetCommand,
  },
  {
    path: ['prices', 'list'],
    summary: 'List your own prices, and the version of the price data beneath them.',
    load: async () => (await import('./prices/prices-list.ts')).pricesListCommand,
  },
  {
    path: ['prices', 'unset'],
    summary: 'Remove a price rule; "imported" removes the imported price data.',
    load: async () => (await import('./prices/prices-unset.ts')).pricesUnsetCommand,
  },
  {
    path: ['prices', 'missing'],
    summary: 'List the models used without a price, with the command that sets one.',
    load: async () => (await import('./prices/prices-missing.ts')).pricesMissingCommand,
  },
  {
    path: ['prices', 'update'],
    summary: 'Fetch newer price data and apply it; --check only shows what would change.',
    load: async () => (await import('./prices/prices-update.ts')).pricesUpdateCommand,
  },
  {
    path: ['prices', 'import'],
    summary: 'Import newer price data from a file, for machines without internet access.',
    load: async () => (await import('./prices/prices-import.ts')).pricesImportCommand,
  },
  {
    path: ['prices', 'export'],
    summary: 'Write all listed prices to one file, to import on another machine.',
    load: async () => (await import('./prices/prices-export.ts')).pricesExportCommand,
  },
  {
    path: ['requests'],
    summary: 'List recorded calls, newest first; --follow goes on with new ones.',
    load: async () => (await import('./requests.ts')).requestsCommand,
  },
  {
    path: ['explain'],
    summary: 'Show a recorded call, and how its cost was calculated.',
    load: async () => (await import('./prices/explain.ts')).explainCommand,
  },
  {
    path: ['reprice'],
    summary: 'Reprice recorded calls. Shows what would change; --apply changes it.',
    load: async () => (await import('./prices/reprice.ts')).repriceCommand,
  },
  {
    path: ['journal', 'inspect'],
    summary: 'Show what is in the journals: segments, calls, damage, and what is stored already.',
    load: async () => (await import('./journal/journal-inspect.ts')).journalInspectCommand,
  },
  {
    path: ['journal', 'replay'],
    summary:
      'Retry storing the calls that were put aside. Exit code 1 if some still cannot be stored.',
    load: async () => (await import('./journal/journal-replay.ts')).journalReplayCommand,
  },
  {
    path: ['rollups', 'rebuild'],
    summary: 'Sum the recorded calls from scratch, and fix sums that are wrong.',
    load: async () => (await import('./data/rollups-rebuild.ts')).rollupsRebuildCommand,
  },
  {
    path: ['usage'],
    summary: 'Show what was spent: an overview, or the answer to one question.',
    load: async () => (await import('./usage/usage.ts')).usageCommand,
  },
  {
    path: ['analyze'],
    summary: 'Ask anything about usage: any hours, groups, filters, times, a comparison.',
    load: async () => (await import('./analysis/analyze.ts')).analyzeCommand,
  },
  {
    path: ['export'],
    summary: 'Export the calls of a month as CSV, for finance.',
    load: async () => (await import('./usage/export.ts')).exportCommand,
  },
  {
    path: ['backup'],
    summary: 'Back up settings and usage to one file, while Weir runs.',
    load: async () => (await import('./data/backup.ts')).backupCommand,
  },
  {
    path: ['restore'],
    summary: 'Replace settings and usage with a backup, while Weir is stopped.',
    load: async () => (await import('./data/restore.ts')).restoreCommand,
  },
  {
    path: ['migrate'],
    summary: 'Make or update the tables on PostgreSQL and ClickHouse, before a new version starts.',
    load: async () => (await import('./data/migrate.ts')).migrateCommand,
  },
  {
    path: ['migrate-data'],
    summary: 'Move a data directory into PostgreSQL, or calls into ClickHouse.',
    load: async () => (await import('./data/migrate-data.ts')).migrateDataCommand,
  },
  {
    path: ['doctor'],
    summary: 'Check configuration, disk, engines, journal, record, prices and clock.',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    path: ['completion'],
    summary: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion.ts')).createCompletionCommand(COMMANDS),
  },
]
