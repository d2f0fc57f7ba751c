// Files that the API answers with, to a file or to standard output. Must stay true: a file is
// complete or absent (synced, then renamed).

import { statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { toDiskError } from '../../backup/disk-space.ts'
import { formatBytes } from '../../core/format-bytes.ts'
import { syncDirectory } from '../../backup/sync-directory.ts'
import type { ApiFile } from '../routes.ts'
import { printJson, refused, textOption } from '../command.ts'
import type { CommandInput } from '../command.ts'

interface About {
  /** What is said of it in JSON beside its name and size. */
  readonly facts?: object
  /** Follows its size. */
  readonly words?: string
}

/** To the file that --output names. Without it what is printed is the file, also with --json. */
export async function printExport(
  input: CommandInput,
  { lines }: Pick<ApiFile, 'lines'>,
  { facts = {}, words = '' }: About = {},
): Promise<void> {
  const output = textOption(input, 'output')
  if (output === undefined) {
    // `out` returns when the pipe has taken the text, so a slow reader slows this down, and it adds
    // the line break that ends each piece.
    for await (const piece of lines) input.out(piece.slice(0, -1))
    return
  }
  const written = await writeExportFile(output, lines)
  if (input.isJson) printJson(input, { ...written, ...facts })
  else input.out(`${written.file}: ${formatBytes(written.bytes)}${words}.`)
}

/** Before anything is read: a user who forgot --force should find out at once. */
export function checkExportFile(file: string, isForced: boolean): void {
  const folder = dirname(resolve(file))
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw refused(`There is no directory ${folder}.`, 'Create it first, or choose another one.')
  }
  const there = statSync(resolve(file), { throwIfNoEntry: false })
  if (there === undefined || (isForced && there.isFile())) return
  const hint = there.isFile()
    ? 'Choose another name, or add --force.'
    : 'It is not a file; name a file in it.'
  throw refused(`${file} already exists.`, hint)
}

async function writeExportFile(
  file: string,
  lines: AsyncIterable<string>,
): Promise<{ readonly file: string; readonly bytes: number }> {
  const target = resolve(file)
  const part = `${target}.${process.pid}.part`
  try {
    const handle = await open(part, 'w', 0o600)
    let bytes = 0
    try {
      for await (const chunk of lines) {
        const piece = Buffer.from(chunk)
        await handle.appendFile(piece)
        bytes += piece.length
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, target)
    syncDirectory(dirname(target))
    return { file: target, bytes }
  } catch (error) {
    await rm(part, { force: true })
    throw toDiskError(error, `The export ${target} cannot be written`)
  }
}
