// Who may import whom. The table is docs/architecture.md's; a room sees only what its row lists,
// and tests are free, since they may need real parts of other rooms.

import path from 'node:path'
import { importsOf, isCode, isProgram, isTest } from './checkout.ts'
import type { Checkout, CheckoutFile, Fault, Import } from './checkout.ts'

/** The interfaces of the stores; everything else in there belongs to an engine. */
const STORE_DOORS = [
  'store/open-store.ts',
  'store/databases.ts',
  'store/open-patiently.ts',
  'store/store-busy.ts',
  'store/store-clock.ts',
  'store/ledger/ledger-progress.ts',
  'store/ledger/ledger-owner.ts',
  'store/ledger/ledger-store.ts',
  'store/ledger/budget-states.ts',
  'store/ledger/outbox.ts',
  'store/nodes/judge-nodes.ts',
  'store/nodes/node-store.ts',
  'store/usage/usage-store.ts',
  'store/usage/request-log.ts',
  'store/usage/session-log.ts',
  'store/usage/usage-upkeep.ts',
  'store/usage/day-spend.ts',
  'store/usage/analysis.ts',
  'store/usage/latency-buckets.ts',
  'store/settings/settings-store.ts',
  'store/settings/key-store.ts',
  'store/settings/team-store.ts',
  'store/settings/group-store.ts',
  'store/settings/token-store.ts',
  'store/settings/user-store.ts',
  'store/settings/session-store.ts',
  'store/settings/device-sign-in-store.ts',
  'store/settings/setup-code.ts',
  'store/settings/price-store.ts',
  'store/settings/budget-store.ts',
  'store/settings/target-store.ts',
  'store/settings/alert-store.ts',
  'store/settings/ask-store.ts',
  'store/settings/audit-store.ts',
  'store/settings/snapshot-store.ts',
  'store/settings/counter-store.ts',
  'store/settings/changed-meanwhile.ts',
  'store/settings/follow.ts',
  'store/settings/view-store.ts',
  'store/limits/lease-store.ts',
] as const

const PROVIDER_DOORS = [
  'providers/registry.ts',
  'providers/provider.ts',
  'providers/guarded-provider.ts',
  'providers/directory.ts',
] as const

/**
 * Below src, a row for each room. A folder stands for all that it holds but for rooms of their own,
 * a file for itself; a room always sees itself. Rows name only rooms of rows above them, so rooms
 * cannot need each other in a circle.
 */
export const IMPORT_TABLE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  wire: [],
  providers: ['core', 'wire'],
  journal: ['core'],
  resources: ['core'],
  store: ['core', 'resources'],
  pricing: ['core'],
  accounts: ['core', 'store/settings/counter-store.ts'],
  policy: ['core', 'wire', ...PROVIDER_DOORS],
  limits: ['core', 'policy', 'store/limits/lease-store.ts'],
  estimates: ['core', 'wire'],
  agents: ['core', 'wire'],
  proxy: [
    'core',
    'wire',
    ...PROVIDER_DOORS,
    'journal/journal.ts',
    'policy',
    'limits',
    'estimates',
    'agents',
  ],
  config: ['core', ...PROVIDER_DOORS, 'pricing', 'accounts'],
  telemetry: ['core', 'wire', 'providers/gen-ai-names.ts'],
  'journal/inspect': ['core', 'journal', ...STORE_DOORS],
  ledger: ['core', 'pricing', 'journal', 'config', ...STORE_DOORS],
  'pricing/service': ['core', 'pricing', 'accounts', 'ledger', 'config', ...STORE_DOORS],
  alerts: ['core', 'config', ...STORE_DOORS],
  backup: ['core', 'journal', 'accounts', ...STORE_DOORS],
  api: [
    'core',
    'resources',
    ...PROVIDER_DOORS,
    'journal',
    'pricing',
    'accounts',
    'limits/connection-slots.ts',
    'limits/tls-handshakes.ts',
    'limits/budget-cover.ts',
    'limits/limit-refusal.ts',
    'limits/overshoot-bound.ts',
    'config',
    'ledger',
    'pricing/service',
    'alerts',
    ...STORE_DOORS,
  ],
  app: [
    'core',
    'wire',
    'resources',
    'providers',
    'journal',
    'pricing',
    'accounts',
    'limits',
    'estimates',
    'agents',
    'proxy',
    'config',
    'ledger',
    'pricing/service',
    'alerts',
    'backup',
    'telemetry',
    'api',
    ...STORE_DOORS,
  ],
  doctor: [
    'core',
    'journal',
    'pricing',
    'config',
    'ledger',
    'pricing/service',
    'backup',
    ...STORE_DOORS,
  ],
  cli: [
    'core',
    'resources',
    'journal',
    'pricing',
    'accounts',
    'config',
    'journal/inspect',
    'ledger',
    'pricing/service',
    'alerts',
    'backup',
    'api',
    'app',
    'doctor',
    ...STORE_DOORS,
    '../client/connection.js',
    '../client/weir-client.js',
  ],
}

export function checkImportTable(checkout: Checkout): Fault[] {
  return checkout.filter(isProgram).flatMap((file) => {
    const room = roomOf(file.path)
    const row = room === null ? undefined : IMPORT_TABLE[room]
    if (room === null || row === undefined) {
      return [`${file.path}: lies in no room of the import table`]
    }
    return importsOf(file).flatMap(({ target }) => {
      if (target === null || isAllowed(target, [...row, room])) return []
      return [`${file.path}: ${room} may not import ${target}`]
    })
  })
}

function isAllowed(target: string, row: readonly string[]): boolean {
  const room = roomOf(target)
  return row.some((entry) => room === entry || target === path.posix.normalize(`src/${entry}`))
}

/** The innermost: `pricing/service` is a room within a room. */
function roomOf(path: string): string | null {
  const rooms = Object.keys(IMPORT_TABLE).filter((room) => path.startsWith(`src/${room}/`))
  return rooms.toSorted((one, other) => other.length - one.length)[0] ?? null
}

/** Rows that name a room of a row below them, or one that is not there. */
export function findUpwardRows(): string[] {
  const rooms = Object.keys(IMPORT_TABLE)
  return rooms.flatMap((room, at) =>
    (IMPORT_TABLE[room] ?? [])
      .filter((entry) => !entry.includes('.') && !rooms.slice(0, at).includes(entry))
      .map((entry) => `${room}: ${entry} is not above it`),
  )
}

const ENGINE = /^src\/store\/(?:\w+\/)?(sqlite|postgres|clickhouse)\//
const BACKENDS_FILES = ['src/store/open-store.ts', 'src/store/databases.ts']

/** An engine is named in two files, so that the rest cannot come to depend on which one it is. */
export function checkBackends(checkout: Checkout): Fault[] {
  return checkout.filter(isProgram).flatMap((file) => {
    if (BACKENDS_FILES.includes(file.path)) return []
    const own = ENGINE.exec(file.path)?.[1]
    return importsOf(file).flatMap(({ target }) => {
      const engine = ENGINE.exec(target ?? '')?.[1]
      // Engines do not know of each other either, but for the move from one to the other.
      if (engine === undefined || engine === own || file.path.includes('/move/')) return []
      return [`${file.path}: only ${BACKENDS_FILES.join(' and ')} may name the backend ${target}`]
    })
  })
}

/** About the data directory itself, or a journal: the routes of the API offer nothing of it. */
const COMMANDS_WITH_STORES = /^src\/cli\/(?:data|journal)\//

/** All other commands are clients of the API's routes, so that they work on a remote Weir, too. */
export function checkCommandStores(checkout: Checkout): Fault[] {
  return checkout.filter(isProgram).flatMap((file) => {
    if (!file.path.startsWith('src/cli/') || COMMANDS_WITH_STORES.test(file.path)) return []
    return importsOf(file).flatMap(({ target }) => {
      if (target?.startsWith('src/store/') !== true) return []
      return [`${file.path}: a command calls routes of the API, and may not import ${target}`]
    })
  })
}

const CONTRACT = 'src/api/contract.ts'
/** Lists and rules that are built into the console, so they import nothing but each other. */
export const SHARED_LISTS: readonly string[] = [
  'src/api/usage/catalogue.ts',
  'src/core/agents/call-agent.ts',
  'src/core/api-key.ts',
  'src/core/budget.ts',
  'src/api/requests/call-words.ts',
  'src/core/budget-scope.ts',
  'src/core/dims.ts',
  'src/core/key-rules.ts',
  'src/core/money.ts',
  'src/core/usage-figures.ts',
  'src/core/teams/team.ts',
  'src/core/user.ts',
  'src/resources/budget.ts',
  'src/resources/field.ts',
  'src/resources/key.ts',
  'src/resources/key-budget.ts',
  'src/resources/rules.ts',
  'src/resources/team.ts',
  'src/resources/token.ts',
  'src/resources/user.ts',
  'src/store/usage/analysis.ts',
  'src/api/analysis/analysis-csv.ts',
  'src/api/analysis/analysis-orders.ts',
  'src/api/usage/format-share.ts',
  'src/api/exports/csv.ts',
]

export function checkConsole(checkout: Checkout): Fault[] {
  return checkout.flatMap((file) => {
    const isConsole = file.path.startsWith('console/')
    const isList = SHARED_LISTS.includes(file.path)
    return importsOf(file).flatMap(({ target, specifier, isTypeOnly }) => {
      if (isList && !isTypeOnly && !SHARED_LISTS.includes(target ?? '')) {
        return [`${file.path}: may not import ${specifier}`]
      }
      // Built into the console as well.
      if (file.path.startsWith('recipes/') && target?.startsWith('recipes/') !== true) {
        return [`${file.path}: a recipe may not import ${specifier}`]
      }
      if (target === null) return []
      const isShared = SHARED_LISTS.includes(target) || (target === CONTRACT && isTypeOnly)
      if (isConsole && target.startsWith('src/') && !isShared) {
        return [`${file.path}: the console may only import types of ${CONTRACT}, not ${target}`]
      }
      if (!isConsole && file.path.startsWith('src/') && target.startsWith('console/')) {
        return [`${file.path}: nothing in src may import ${target}`]
      }
      return []
    })
  })
}

/** What the program imports must be installed with it, not only for its development. */
export function checkPackages(checkout: Checkout): Fault[] {
  const manifest = checkout.find((file) => file.path === 'package.json')?.text ?? '{}'
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> }
  return checkout.filter(isProgram).flatMap((file) =>
    importsOf(file).flatMap((used) => {
      const name = packageOf(used)
      if (name === null || Object.hasOwn(dependencies, name)) return []
      return [`${file.path}: ${name} is not among the dependencies of package.json`]
    }),
  )
}

function packageOf({ specifier, target, isTypeOnly }: Import): string | null {
  if (target !== null || isTypeOnly || specifier.startsWith('node:')) return null
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? null)
}

/** Started by name rather than imported. */
export const ENTRIES: readonly string[] = ['src/cli/weir.ts']

/** A file that only its own test uses is dead as well. */
export function checkDeadFiles(checkout: Checkout): Fault[] {
  const isUser = (file: CheckoutFile): boolean => !isTest(file) && !file.path.startsWith('test/')
  const used = new Set(
    checkout.filter(isUser).flatMap((file) => importsOf(file).map(({ target }) => target)),
  )
  return checkout
    .filter((file) => isProgram(file) && !used.has(file.path) && !ENTRIES.includes(file.path))
    .map((file) => `${file.path}: nothing imports it; remove it or wire it in`)
}

/** The file by which each room is entered, and from which a newcomer starts to read. */
export const DOORS: readonly string[] = [
  'src/core/usage-event.ts',
  'src/wire/http/http-head.ts',
  'src/providers/provider.ts',
  'src/providers/registry.ts',
  'src/pricing/tables/price.ts',
  'src/journal/journal.ts',
  'src/store/ledger/ledger-store.ts',
  'src/store/usage/usage-store.ts',
  'src/store/settings/settings-store.ts',
  'src/proxy/listen.ts',
  'src/ledger/ledger.ts',
  'src/api/contract.ts',
  'src/app/main.ts',
  'src/cli/weir.ts',
]

export function checkDoors(checkout: Checkout): Fault[] {
  const paths = new Set(checkout.map((file) => file.path))
  const missing = DOORS.filter((door) => !paths.has(door))
  return missing.map((door) => `${door}: this room has lost its door`)
}

/** Files that need each other, types included: neither can be read or replaced alone. */
export function checkCircles(checkout: Checkout): Fault[] {
  const files = checkout.filter((file) => isCode(file) && !isTest(file))
  const paths = new Set(files.map((file) => file.path))
  const uses = new Map(
    files.map((file) => {
      const targets = importsOf(file).map(({ target }) => target ?? '')
      return [file.path, targets.filter((target) => paths.has(target))]
    }),
  )
  return findCircles(uses).map((circle) => `${circle.join(' → ')}: a circle`)
}

/** One circle for each import that closes one. */
function findCircles(uses: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const follow = (path: string, above: readonly string[]): void => {
    const at = above.indexOf(path)
    if (at >= 0) circles.push([...above.slice(at), path])
    if (at >= 0 || done.has(path)) return
    for (const used of uses.get(path) ?? []) follow(used, [...above, path])
    done.add(path)
  }
  for (const path of uses.keys()) follow(path, [])
  return circles
}

/** A folder with more is a drawer: split it by what a user or operator would call its parts. */
export const FOLDER_FILES_MAX = 30

export function checkFolders(checkout: Checkout): Fault[] {
  const counts = new Map<string, number>()
  for (const file of checkout.filter((each) => isCode(each) && !isTest(each))) {
    const folder = path.posix.dirname(file.path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(([folder, count]) => `${folder}: ${count} source files, at most ${FOLDER_FILES_MAX}`)
}
