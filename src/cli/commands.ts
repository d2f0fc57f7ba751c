// The list of commands, in the order of the help. Must stay true: a command's file is loaded when it is called
// and not before. Each brings much of the program with it, and most calls need little.

import type { ListedCommand } from './command.ts'

export const COMMANDS: readonly ListedCommand[] = [
  {
    path: ['start'],
    summary: 'Run Weir: the proxy, the API and the console.',
    load: async () => (await import('./start.ts')).startCommand,
  },
  {
    path: ['keys', 'create'],
    summary: 'Make an API key for a caller of the proxy.',
    load: async () => (await import('./keys/keys-create.ts')).keysCreateCommand,
  },
  {
    path: ['keys', 'list'],
    summary: 'List the API keys, expired and revoked ones too.',
    load: async () => (await import('./keys/keys-list.ts')).keysListCommand,
  },
  {
    path: ['keys', 'update'],
    summary: 'Change what an API key may do. An option given replaces what the key had.',
    load: async () => (await import('./keys/keys-update.ts')).keysUpdateCommand,
  },
  {
    path: ['keys', 'rotate'],
    summary: 'Give an API key a new secret under the same id; the old one ends.',
    load: async () => (await import('./keys/keys-rotate.ts')).keysRotateCommand,
  },
  {
    path: ['keys', 'revoke'],
    summary: 'End an API key for good. What it spent stays on record.',
    load: async () => (await import('./keys/keys-revoke.ts')).keysRevokeCommand,
  },
  {
    path: ['keys', 'check'],
    summary: 'Tell whether a key may use a model, and why. Exit code 1 when it may not.',
    load: async () => (await import('./keys/keys-check.ts')).keysCheckCommand,
  },
  {
    path: ['tokens', 'create'],
    summary: 'Make an access token for the API.',
    load: async () => (await import('./tokens/tokens-create.ts')).tokensCreateCommand,
  },
  {
    path: ['tokens', 'list'],
    summary: 'List the access tokens, expired and revoked ones too.',
    load: async () => (await import('./tokens/tokens-list.ts')).tokensListCommand,
  },
  {
    path: ['tokens', 'revoke'],
    summary: 'End an access token for good.',
    load: async () => (await import('./tokens/tokens-revoke.ts')).tokensRevokeCommand,
  },
  {
    path: ['users', 'create'],
    summary: 'Let somebody sign in to the console, by a one-time link.',
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
    summary: 'Make a new one-time link, for whoever cannot sign in.',
    load: async () => (await import('./users/users-link.ts')).usersLinkCommand,
  },
  {
    path: ['users', 'remove'],
    summary: 'Take a user away. What they did stays in the audit log.',
    load: async () => (await import('./users/users-remove.ts')).usersRemoveCommand,
  },
  {
    path: ['budgets', 'create'],
    summary:
      'Watch what is spent: alert at parts of a limit, and refuse calls beyond it if asked to.',
    load: async () => (await import('./budgets/budgets-create.ts')).budgetsCreateCommand,
  },
  {
    path: ['budgets', 'list'],
    summary: 'List the budgets: what they spent, of how much, and where the period is heading.',
    load: async () => (await import('./budgets/budgets-list.ts')).budgetsListCommand,
  },
  {
    path: ['budgets', 'update'],
    summary: 'Change a budget. Its thresholds are judged anew at once.',
    load: async () => (await import('./budgets/budgets-update.ts')).budgetsUpdateCommand,
  },
  {
    path: ['budgets', 'delete'],
    summary: 'Take a budget away. What calls cost stays on record.',
    load: async () => (await import('./budgets/budgets-delete.ts')).budgetsDeleteCommand,
  },
  {
    path: ['budgets', 'test'],
    summary: 'Send a test alert to all targets of a budget. Exit code 1 when one fails.',
    load: async () => (await import('./budgets/budgets-test.ts')).budgetsTestCommand,
  },
  {
    path: ['alerts', 'list'],
    summary: 'List the alerts there were, with every attempt to deliver them.',
    load: async () => (await import('./alerts/alerts-list.ts')).alertsListCommand,
  },
  {
    path: ['alerts', 'targets'],
    summary: 'List who is told of what concerns no single budget, such as anomalies.',
    load: async () => (await import('./alerts/alerts-targets.ts')).alertsTargetsCommand,
  },
  {
    path: ['alerts', 'add'],
    summary: 'Tell somebody of what concerns no single budget.',
    load: async () => (await import('./alerts/alerts-add.ts')).alertsAddCommand,
  },
  {
    path: ['alerts', 'test'],
    summary: 'Send a test alert to one target. Exit code 1 when it fails.',
    load: async () => (await import('./alerts/alerts-test.ts')).alertsTestCommand,
  },
  {
    path: ['alerts', 'remove'],
    summary: 'Tell somebody no longer of what concerns no single budget.',
    load: async () => (await import('./alerts/alerts-remove.ts')).alertsRemoveCommand,
  },
  {
    path: ['prices', 'show'],
    summary: 'Show what a model costs, tier by tier, and by which price.',
    load: async () => (await import('./prices/prices-show.ts')).pricesShowCommand,
  },
  {
    path: ['prices', 'quote'],
    summary: 'Work out what a usage costs: units × rates.',
    load: async () => (await import('./prices/prices-quote.ts')).pricesQuoteCommand,
  },
  {
    path: ['prices', 'set'],
    summary: 'Give a model a price of your own, or a factor on the listed one.',
    load: async () => (await import('./prices/prices-set.ts')).pricesSetCommand,
  },
  {
    path: ['prices', 'list'],
    summary: 'List the prices of your own, and which price data lies beneath them.',
    load: async () => (await import('./prices/prices-list.ts')).pricesListCommand,
  },
  {
    path: ['prices', 'unset'],
    summary: 'Take a price rule away; "imported" takes away what was imported.',
    load: async () => (await import('./prices/prices-unset.ts')).pricesUnsetCommand,
  },
  {
    path: ['prices', 'missing'],
    summary: 'List the models that ran without a price, and what would give them one.',
    load: async () => (await import('./prices/prices-missing.ts')).pricesMissingCommand,
  },
  {
    path: ['prices', 'import'],
    summary: 'Bring newer price data from a file, on machines without internet.',
    load: async () => (await import('./prices/prices-import.ts')).pricesImportCommand,
  },
  {
    path: ['prices', 'export'],
    summary: 'Write all listed prices as one file, to be imported elsewhere.',
    load: async () => (await import('./prices/prices-export.ts')).pricesExportCommand,
  },
  {
    path: ['explain'],
    summary: 'Show a recorded call, and how its cost came about.',
    load: async () => (await import('./prices/explain.ts')).explainCommand,
  },
  {
    path: ['reprice'],
    summary: 'Price recorded calls anew. Shows what would change; changes it with --apply.',
    load: async () => (await import('./prices/reprice.ts')).repriceCommand,
  },
  {
    path: ['journal', 'inspect'],
    summary: 'Show what the journals hold: segments, calls, damage, and what is stored already.',
    load: async () => (await import('./journal/journal-inspect.ts')).journalInspectCommand,
  },
  {
    path: ['journal', 'replay'],
    summary: 'Try again to store the calls that were put aside. Exit code 1 when some stay behind.',
    load: async () => (await import('./journal/journal-replay.ts')).journalReplayCommand,
  },
  {
    path: ['rollups', 'rebuild'],
    summary: 'Sum the recorded calls anew, and mend sums that are wrong.',
    load: async () => (await import('./data/rollups-rebuild.ts')).rollupsRebuildCommand,
  },
  {
    path: ['usage'],
    summary: 'Show what was spent: at a glance, or the answer to one question.',
    load: async () => (await import('./usage/usage.ts')).usageCommand,
  },
  {
    path: ['export'],
    summary: 'Write the calls of a month as CSV, for finance.',
    load: async () => (await import('./usage/export.ts')).exportCommand,
  },
  {
    path: ['backup'],
    summary: 'Write settings and usage into one file, beside a running Weir.',
    load: async () => (await import('./data/backup.ts')).backupCommand,
  },
  {
    path: ['restore'],
    summary: 'Put a backup in the place of settings and usage, while Weir is stopped.',
    load: async () => (await import('./data/restore.ts')).restoreCommand,
  },
  {
    path: ['doctor'],
    summary: 'Check configuration, disk, engines, journal, record, prices and clock.',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
]
