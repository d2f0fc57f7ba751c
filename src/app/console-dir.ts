// Where the built console is; null when it has not been built.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export function findConsoleDir(): string | null {
  const dir = fileURLToPath(new URL('../../console/dist', import.meta.url))
  return existsSync(`${dir}/index.html`) ? dir : null
}
