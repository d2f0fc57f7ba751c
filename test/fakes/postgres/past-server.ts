// A PostgreSQL that can become what it was before, as by a failover to a replica that lacks the
// last commits or a restore: another server on the same port, over an older copy of the data.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import type { Cleanups } from '../servers/shared-server.ts'
import { openPostgresServer } from './postgres-server.ts'
import { listPostgresPrograms } from './test-database.ts'
import type { PostgresPrograms } from './test-database.ts'

export interface PastServer {
  readonly url: string
  /** From here on `goBack` leads to this moment. Connections break meanwhile. */
  save(): Promise<void>
  goBack(): Promise<void>
}

export async function openPastServer(context: Cleanups): Promise<PastServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'weir-past-'))
  // The server runs as another user.
  chmodSync(folder, 0o755)
  const { bin } = listPostgresPrograms()[0] as PostgresPrograms
  let server = await openPostgresServer({ bin, folder })
  const { url, port } = server
  context.after(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  async function between(work: () => void): Promise<void> {
    await server.close()
    work()
    server = await openPostgresServer({ bin, folder, port })
  }
  return {
    url,
    save: () => between(() => saveData(folder)),
    goBack: () => between(() => restoreData(folder)),
  }
}

/** Of a server that is stopped. */
export function saveData(folder: string): void {
  rmSync(path.join(folder, 'saved'), { recursive: true, force: true })
  copy(path.join(folder, 'data'), path.join(folder, 'saved'))
}

export function restoreData(folder: string): void {
  rmSync(path.join(folder, 'data'), { recursive: true, force: true })
  renameSync(path.join(folder, 'saved'), path.join(folder, 'data'))
}

/** With its owner, which PostgreSQL insists on. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cp failed: ${stderr}`)
}
