// weir backup

import { writeBackup } from '../../backup/backup.ts'
import { loadConfig } from '../../config/config.ts'
import { requireFiles } from '../../config/store-locations.ts'
import { formatBytes } from '../../core/format-bytes.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { createProgress } from '../progress.ts'

const backupCommand: CommandBody = {
  usage: 'weir backup FILE [options]',
  arguments: ['FILE'],
  options: { force: { type: 'boolean', about: 'overwrite an existing file' } },
  run,
}

export const commands: Readonly<Record<string, CommandBody>> = { backup: backupCommand }

const INSTEAD =
  "Back up the databases with pg_dump, or all the time by point-in-time recovery. Calls that are not stored yet are in the journals of each node's data directory: copy these, too."

async function run(input: CommandInput): Promise<number> {
  const config = loadConfig({ file: input.configFile })
  requireFiles(config, { command: 'weir backup', instead: INSTEAD })
  const { file, bytes, manifest } = await writeBackup({
    dataDir: config.dataDir,
    clock: input.clock,
    file: input.arguments[0] as string,
    isForced: input.values['force'] === true,
    onProgress: createProgress(input),
  })
  if (input.isJson) {
    printJson(input, { file, bytes, ...manifest })
    return 0
  }
  const parts = manifest.files.map((part) => `${part.name} ${formatBytes(part.bytes)}`)
  input.out(
    [
      `${file}: ${formatBytes(bytes)} (${parts.join(', ')}), as of ${manifest.created_at}`,
      'It contains the hashes of keys and tokens, and who used what: protect it like the data directory.',
    ].join('\n'),
  )
  return 0
}
