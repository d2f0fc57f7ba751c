// weir backup and weir restore

import { join } from 'node:path'
import { writeBackup } from '../../backup/backup.ts'
import { restoreBackup } from '../../backup/restore.ts'
import { loadConfig } from '../../config/config.ts'
import { requireFiles } from '../../config/store-locations.ts'
import { formatBytes } from '../../core/format-bytes.ts'
import { flag } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { createProgress } from '../progress.ts'

export const commands: Commands = {
  backup: {
    arguments: ['FILE'],
    options: { force: flag('overwrite an existing file') },
    run: backup,
  },
  restore: {
    arguments: ['FILE'],
    options: { force: flag('rename existing databases out of the way') },
    run: restore,
  },
}

const DUMP =
  "Back up the databases with pg_dump, or all the time by point-in-time recovery. Calls that are not stored yet are in the journals of each node's data directory: copy these, too."
const PG_RESTORE =
  'Stop all nodes, and restore the databases with pg_restore or by point-in-time recovery. A node stores what is in its journals when it starts again.'

async function backup(input: CommandInput): Promise<Shown> {
  const config = loadConfig({ file: input.configFile })
  requireFiles(config, { command: 'weir backup', instead: DUMP })
  const { file, bytes, manifest } = await writeBackup(toPlace(input, config.dataDir))
  const parts = manifest.files.map((part) => `${part.name} ${formatBytes(part.bytes)}`)
  const text = [
    `${file}: ${formatBytes(bytes)} (${parts.join(', ')}), as of ${manifest.created_at}`,
    'It contains the hashes of keys and tokens, and who used what: protect it like the data directory.',
  ].join('\n')
  return { json: { file, bytes, ...manifest }, text }
}

async function restore(input: CommandInput): Promise<Shown> {
  const config = loadConfig({ file: input.configFile })
  requireFiles(config, { command: 'weir restore', instead: PG_RESTORE })
  const { dataDir } = config
  const place = toPlace(input, dataDir)
  const { manifest, aside } = await restoreBackup(place)
  const { version, created_at, files } = manifest
  const kept = aside.map((name) => join(dataDir, name))
  const text = [
    `${dataDir} is as it was at ${created_at} (Weir ${version}).`,
    ...(kept.length === 0 ? [] : [`Renamed the old databases: ${kept.join(', ')}`]),
    'Later calls that are still in the journals are stored at the next start.',
  ].join('\n')
  const { file } = place
  return { json: { file, data_dir: dataDir, version, created_at, files, put_aside: kept }, text }
}

function toPlace(input: CommandInput, dataDir: string) {
  return {
    dataDir,
    clock: input.clock,
    file: input.arguments[0] as string,
    isForced: input.values['force'] === true,
    onProgress: createProgress(input),
  }
}
