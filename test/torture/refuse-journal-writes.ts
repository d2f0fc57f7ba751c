// Loaded into each process of the program where no small file system can be mounted: appending to a
// segment of the journal fails as on a full disk while the marker file exists. Writing in place
// goes on, as it does on a full disk.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const marker = process.env['FULL_DISK_MARKER'] ?? ''
const segments = new Set<number>()
const { openSync, writeSync } = fs

fs.openSync = (...words: Parameters<typeof openSync>) => {
  const fd = openSync(...words)
  if (words[1] === 'a' && String(words[0]).endsWith('.jsonl')) segments.add(fd)
  else segments.delete(fd)
  return fd
}

fs.writeSync = ((fd: number, ...words: [Buffer]) => {
  if (!segments.has(fd) || !fs.existsSync(marker)) return writeSync(fd, ...words)
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
}) as typeof writeSync

syncBuiltinESMExports()
