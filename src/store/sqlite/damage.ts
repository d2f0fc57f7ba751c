// SQLite's own check of a file's structure. It reads the whole file and changes nothing.

import { DatabaseSync } from 'node:sqlite'

/** One damaged page can cause thousands of messages. */
const MESSAGES_MAX = 5
const MESSAGE_CHARS_MAX = 200
const BUSY_TIMEOUT_MS = 10_000

/** Sentences without their full stops; empty when there is no damage. */
export function findDamage(database: DatabaseSync): readonly string[] {
  try {
    const rows = database.prepare(`PRAGMA integrity_check(${MESSAGES_MAX})`).all()
    const messages = rows.map((row) => String(row['integrity_check']))
    if (messages.length === 1 && messages[0] === 'ok') return []
    return messages.map((message) => `the file is damaged: ${toLine(message)}`)
  } catch (error) {
    // Some damage ends the check itself: not a database at all, or a page that cannot be read.
    return [`the file is damaged: ${toLine((error as Error).message)}`]
  }
}

export function findFileDamage(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  try {
    return findDamage(database)
  } finally {
    database.close()
  }
}

function toLine(message: string): string {
  return message.replaceAll(/\s+/g, ' ').trim().slice(0, MESSAGE_CHARS_MAX)
}
