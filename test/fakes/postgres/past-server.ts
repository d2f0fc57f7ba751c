// A PostgreSQL that can become what it was before, as by a failover to a replica that lacks the
// last commits or a restore: another server on the same port, over an older copy of the data.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
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
  async function between(work: () => Promise<void>): Promise<void> {
    await server.close()
    await work()
    server = await openPostgresServer({ bin, folder, port })
  }
  return {
    url,
    save: () => between(() => saveData(folder)),
    goBack: () => between(() => restoreData(folder)),
  }
}

/** Of a server that is stopped. Others go on in this process meanwhile. */
export async function saveData(folder: string): Promise<void> {
  await rm(path.join(folder, 'saved'), { recursive: true, force: true })
  // With its owner, which PostgreSQL insists on.
  const copying = spawn('cp', ['-a', path.join(folder, 'data'), path.join(folder, 'saved')])
  const [code] = (await once(copying, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`cp ended with ${code}`)
}

export async function restoreData(folder: string): Promise<void> {
  await rm(path.join(folder, 'data'), { recursive: true, force: true })
  await rename(path.join(folder, 'saved'), path.join(folder, 'data'))
}
