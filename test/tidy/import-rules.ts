// Who may import whom. The table is docs/architecture.md's; a room sees only what its row lists, and
// tests are free, since they may need real parts of other rooms.

import path from 'node:path'
import { importsOf, isProgram, isTest } from './checkout.ts'
import type { Checkout, CheckoutFile, Fault, Import } from './checkout.ts'

const STORE_DOORS = [
  'store/usage/usage-store.ts',
  'store/usage/request-log.ts',
  'store/usage/usage-upkeep.ts',
  'store/usage/budget-ledger.ts',
  'store/usage/day-spend.ts',
  'store/settings/settings-store.ts',
  'store/settings/budget-store.ts',
  'store/settings/alert-store.ts',
  'store/settings/account-store.ts',
] as const

/** Below src. A folder stands for all it holds, a file for itself; a room always sees itself. */
export const IMPORT_TABLE: Readonly<Record<string, readonly string[]>> = {
  core: [],
  wire: [],
  providers: ['core', 'wire'],
  pricing: ['core'],
  journal: ['core'],
  store: ['core'],
  proxy: ['core', 'wire', 'providers/registry.ts', 'providers/provider.ts', 'journal/journal.ts'],
  ledger: ['core', 'pricing', 'journal/journal.ts', ...STORE_DOORS],
  alerts: ['core', ...STORE_DOORS],
  api: ['core', 'pricing', ...STORE_DOORS],
  app: [
    'core',
    'wire',
    'providers',
    'pricing',
    'journal',
    'store',
    'proxy',
    'ledger',
    'alerts',
    'api',
    '../client/weir-client.js',
  ],
  cli: ['core', 'api/contract.ts', 'app'],
}

export function checkImportTable(checkout: Checkout): Fault[] {
  return checkout.filter(isProgram).flatMap((file) => {
    const room = roomOf(file.path)
    const row = room === null ? undefined : IMPORT_TABLE[room]
    if (row === undefined) return [`${file.path}: lies in no room of the import table`]
    const allowed = [...row, room].map((entry) => path.posix.normalize(`src/${entry}`))
    return importsOf(file).flatMap(({ target }) => {
      if (target === null) return []
      const isAllowed = allowed.some((entry) => target === entry || target.startsWith(`${entry}/`))
      return isAllowed ? [] : [`${file.path}: ${room} may not import ${target}`]
    })
  })
}

function roomOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null
}

const BACKEND_ROOM = /^(src\/store\/(?:usage|settings))\//
const BACKENDS_FILE = 'src/app/backends.ts'

/** An engine is named in one file, so that the rest cannot come to depend on which one it is. */
export function checkBackends(checkout: Checkout): Fault[] {
  const doors = STORE_DOORS.map((door) => `src/${door}`)
  return checkout.filter(isProgram).flatMap((file) => {
    if (file.path === BACKENDS_FILE) return []
    return importsOf(file).flatMap(({ target }) => {
      const room = target === null ? undefined : BACKEND_ROOM.exec(target)?.[1]
      if (target === null || room === undefined || doors.includes(target)) return []
      if (file.path.startsWith(`${room}/`)) return []
      return [`${file.path}: only ${BACKENDS_FILE} may name the backend ${target}`]
    })
  })
}

const CONTRACT = 'src/api/contract.ts'

/** The console ships as built files: code of ours that it imported would be built into it. */
export function checkConsole(checkout: Checkout): Fault[] {
  return checkout.flatMap((file) => {
    const isConsole = file.path.startsWith('console/')
    return importsOf(file).flatMap(({ target, isTypeOnly }) => {
      if (target === null) return []
      if (isConsole && target.startsWith('src/') && !(target === CONTRACT && isTypeOnly)) {
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
  'src/wire/http-head.ts',
  'src/providers/provider.ts',
  'src/providers/registry.ts',
  'src/pricing/price.ts',
  'src/journal/journal.ts',
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
