// The ids of a data directory (`node-id`) and of its journals (`journal/id`), which may be
// replaced. Must stay true: an id that was ever returned is on the disk, and all processes get the
// same one.

import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { WeirError } from '../core/weir-error.ts'
import { NO_OWNER } from './ledger/ledger-owner.ts'
import type { LedgerOwner } from './ledger/ledger-owner.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n$/

/** Creates what is missing. */
export function openOwner(dataDir: string): LedgerOwner {
  const { node, journal } = toFiles(dataDir)
  createDirectory(path.dirname(journal))
  return { node: readId(node) ?? createId(node), journal: readId(journal) ?? createId(journal) }
}

/** Changes nothing. A directory that lacks one of them has no owner yet. */
export function findOwner(dataDir: string): LedgerOwner {
  const files = toFiles(dataDir)
  const [node, journal] = [readId(files.node), readId(files.journal)]
  return node === null || journal === null ? NO_OWNER : { node, journal }
}

function toFiles(dataDir: string): LedgerOwner {
  return { node: path.join(dataDir, 'node-id'), journal: path.join(dataDir, 'journal', 'id') }
}

function readId(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8')
    if (ID.test(text)) return text.trimEnd()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw toUnusable(file, error)
  }
  throw toUnusable(file)
}

/** Of several processes that create it at once, the first wins: a link never replaces a file. */
function createId(file: string): string {
  const id = randomUUID()
  const part = `${file}.${id}`
  try {
    writeFileSync(part, `${id}\n`, { mode: 0o600, flush: true })
    linkIfAbsent(part, file)
    rmSync(part)
    syncDirectory(path.dirname(file))
  } catch (error) {
    throw toUnusable(file, error)
  }
  return readId(file) as string
}

/** Not the data directory around it: a wrong path must not make one. */
function createDirectory(dir: string): void {
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toUnusable(dir, error)
  }
}

function linkIfAbsent(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function syncDirectory(dir: string): void {
  const descriptor = openSync(dir, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function toUnusable(file: string, cause?: unknown): WeirError {
  const reason = cause === undefined ? 'it contains no id' : (cause as Error).message
  return new WeirError('store_unusable', `${file} cannot be used: ${reason}.`, {
    hint: 'Let the user that runs Weir read and write it. If its content is lost, remove it: a new one is made.',
    cause,
  })
}
