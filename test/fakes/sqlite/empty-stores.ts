// Empty stores of a data directory, as their first opening leaves them: made once for a process and
// copied, since making the tables takes a test several times as long as all else that it does with
// the disk. For tests that are not about the opening itself.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { openSqliteLedger } from '../../../src/store/ledger/sqlite/store.ts'
import { openSqliteSettings } from '../../../src/store/settings/sqlite/store.ts'

const CLOCK = { now: () => 0, monotonic: () => 0 }
const OPEN = {
  settings: (file: string) => openSqliteSettings({ file, clock: CLOCK }),
  usage: (file: string) => openSqliteLedger({ file }),
} as const

type Kind = keyof typeof OPEN

const made = new Map<Kind, Promise<Buffer>>()

/** Leaves alone what is there. */
export async function layEmptyStore(kind: Kind, file: string): Promise<void> {
  if (existsSync(file)) return
  const bytes = made.get(kind) ?? make(kind)
  made.set(kind, bytes)
  writeFileSync(file, await bytes, { mode: 0o600 })
}

async function make(kind: Kind): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-empty-'))
  try {
    const file = path.join(folder, 'store.db')
    await (await OPEN[kind](file)).close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
