// A month's file, local or remote. Must stay true: it is complete or absent (synced, then renamed).

import { statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { EXPORT_REQUESTS_HEADER } from '../../api/contract.ts'
import { createExport } from '../../api/exports/create-export.ts'
import type { ExportChoice, ExportOptions } from '../../api/exports/create-export.ts'
import { toMonth } from '../../api/usage/windows.ts'
import type { Clock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import {
  hasSettingsStore,
  openLedgerStoreToRead,
  openSettingsStore,
} from '../../store/open-store.ts'
import { KEY_CODEC } from '../../resources/codecs.ts'
import type { Config } from '../../config/config.ts'
import { toSettingsPlace, toUsagePlace } from '../../config/store-places.ts'
import { toDiskError } from '../../backup/disk-space.ts'
import { invalidArgument } from '../command.ts'
import type { RemotePlace } from '../remote-place.ts'
import { createRemoteClient, toRemoteError } from './remote-api.ts'
import { syncDirectory } from '../../backup/sync-directory.ts'

/** `token`: an access token with scope read:requests. */
export type ExportPlace =
  | { readonly kind: 'local'; readonly config: Config; readonly clock: Clock }
  | ({ readonly kind: 'remote' } & RemotePlace)

export interface ExportFile {
  readonly file: string
  readonly bytes: number
}

export type ExportTaker<Result> = (
  chunks: AsyncIterable<string>,
  requests: number,
) => Promise<Result>

export async function withExport<Result>(
  place: ExportPlace,
  choice: ExportChoice,
  take: ExportTaker<Result>,
): Promise<Result> {
  return place.kind === 'local'
    ? exportLocally(place, choice, take)
    : fetchExport(place, choice, take)
}

async function exportLocally<Result>(
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  choice: ExportChoice,
  take: ExportTaker<Result>,
): Promise<Result> {
  const current = toMonth(clock.now())
  if (choice.month > current) {
    throw invalidArgument(
      `${choice.month} has not begun yet.`,
      `The month may be ${current} (UTC) or an earlier one.`,
    )
  }
  const store = await openLedgerStoreToRead(toUsagePlace(config))
  if (store === null) {
    throw new WeirError('data_dir_unusable', `There is no usage.db in ${config.dataDir}.`, {
      hint: 'Is this the right data directory? See dataDir and WEIR_DATA_DIR; --url asks a remote Weir.',
    })
  }
  try {
    const { chunks, requests } = await createExport(store.usage, choice, {
      keys: await readKeys(config, clock),
    })
    return await take(chunks, requests)
  } finally {
    await store.close()
  }
}

/** Empty where there are no settings: reading must not make them. */
async function readKeys(config: Config, clock: Clock): Promise<ExportOptions['keys']> {
  const place = toSettingsPlace(config)
  if (!hasSettingsStore(place)) return new Map()
  const settings = await openSettingsStore({ ...place, clock })
  try {
    return new Map((await settings.keys.list()).map((key) => [key.id, KEY_CODEC.toAnswer(key)]))
  } finally {
    await settings.close()
  }
}

async function fetchExport<Result>(
  remote: RemotePlace,
  { format, ...query }: ExportChoice,
  take: ExportTaker<Result>,
): Promise<Result> {
  const { url } = remote
  let requests = 0
  const onResponse = ({ headers }: Response): void => {
    requests = Number(headers.get(EXPORT_REQUESTS_HEADER) ?? 0)
  }
  const client = createRemoteClient({ ...remote, onResponse })
  const asked = format === 'usage' ? client.exportUsage(query) : client.exportFocus(query)
  const body = await asked.catch((error: unknown) => {
    throw toRemoteError(error, url)
  })
  try {
    return await take(toWholeLines(body), requests)
  } catch (cause) {
    // fetch throws a TypeError where a transfer is cut off.
    if (!(cause instanceof TypeError)) throw cause
    throw new WeirError('upstream_unreachable', 'The transfer was cut off.', {
      hint: 'Try again; the log of the remote Weir says why.',
      cause,
    })
  }
}

/** Pieces that end where a line does. */
export async function* toWholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const piece of bytes) {
    const text = rest + decoder.decode(piece, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) yield text.slice(0, end)
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

/** Before anything is read: a user who forgot --force should find out at once. */
export function checkExportFile(file: string, isForced: boolean): void {
  const folder = dirname(resolve(file))
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new WeirError('invalid_argument', `There is no directory ${folder}.`, {
      hint: 'Create it first, or choose another one.',
    })
  }
  const there = statSync(resolve(file), { throwIfNoEntry: false })
  if (there === undefined || (isForced && there.isFile())) return
  throw new WeirError('invalid_argument', `${file} already exists.`, {
    hint: there.isFile()
      ? 'Choose another name, or add --force.'
      : 'It is not a file; name a file in it.',
  })
}

export async function writeExportFile(
  file: string,
  chunks: AsyncIterable<string>,
): Promise<ExportFile> {
  const target = resolve(file)
  const part = `${target}.${process.pid}.part`
  try {
    const handle = await open(part, 'w', 0o600)
    let bytes = 0
    try {
      for await (const chunk of chunks) {
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
