// Where the journals of a data directory are.

import { join } from 'node:path'

export function journalDir(dataDir: string): string {
  return join(dataDir, 'journal')
}
