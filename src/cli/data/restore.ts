// weir restore

import { join } from 'node:path'
import { loadConfig } from '../../config/config.ts'
import { requireFiles } from '../../config/store-locations.ts'
import { restoreBackup } from '../../backup/restore.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { createProgress } from '../progress.ts'

const restoreCommand: CommandBody = {
  usage: 'weir restore FILE [options]',
  arguments: ['FILE'],
  options: {
    force: { type: 'boolean', about: 'rename existing databases out of the way' },
  },
  run,
}

export const commands: Readonly<Record<string, CommandBody>> = { restore: restoreCommand }

const INSTEAD =
  'Stop all nodes, and restore the databases with pg_restore or by point-in-time recovery. A node stores what is in its journals when it starts again.'

async function run(input: CommandInput): Promise<number> {
  const config = loadConfig({ file: input.configFile })
  requireFiles(config, { command: 'weir restore', instead: INSTEAD })
  const { dataDir } = config
  const file = input.arguments[0] as string
  const { manifest, aside } = await restoreBackup({
    dataDir,
    clock: input.clock,
    file,
    isForced: input.values['force'] === true,
    onProgress: createProgress(input),
  })
  const kept = aside.map((name) => join(dataDir, name))
  if (input.isJson) {
    const { version, created_at, files } = manifest
    printJson(input, { file, data_dir: dataDir, version, created_at, files, put_aside: kept })
    return 0
  }
  input.out(
    [
      `${dataDir} is as it was at ${manifest.created_at} (Weir ${manifest.version}).`,
      ...(kept.length === 0 ? [] : [`Renamed the old databases: ${kept.join(', ')}`]),
      'Later calls that are still in the journals are stored at the next start.',
    ].join('\n'),
  )
  return 0
}
