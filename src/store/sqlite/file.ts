// The SQLite file of a store: private, shared by several processes, its tables at the newest
// version. Must stay true: a transaction begins and ends within one turn of the event loop. SQLite
// blocks the thread while it waits for a lock, so one that awaits would lock out its own process.

import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { WeirError } from '../../core/weir-error.ts'
import { StoreBusy } from '../store-busy.ts'

const WAL_ATTEMPTS_MAX = 100
const WAL_PAUSE_MS = 20
/** SQLite's default: with so many pages in the log, a write moves them into the file. */
const WAL_PAGES_MAX = 1000
/** How many pages a write that does not wait may leave, some 64 MB; beyond that it waits. */
const WAL_PAGES_LEFT_MAX = 16_384

/** Some filters are written into texts: beyond this, statements are prepared anew. */
const STATEMENTS_KEPT_MAX = 500

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5
/** BUSY, LOCKED and PROTOCOL: another try will help. */
const BUSY_CODES: ReadonlySet<number> = new Set([SQLITE_BUSY, 6, 15])
const HINTS: ReadonlyMap<number, string> = new Map([
  [
    SQLITE_BUSY,
    'Another process has the file locked. Try again; if it stays so, look for a process that hangs.',
  ],
  [8, 'Let the user that runs Weir write the file and its directory.'],
  [13, 'The disk is full. Make room and try again.'],
  [
    26,
    'The file is no SQLite database. Put a backup in its place, or move it away to start empty.',
  ],
])
const HINT = 'Check that the directory exists, that Weir may write it, and that the disk is sound.'

export interface SqliteFileOptions {
  readonly file: string
  /** As messages call it: `settings store`. */
  readonly name: string
  /** The first makes the tables, each other one leads from one version to the next. */
  readonly migrations: readonly string[]
  /** To which version the first leads, as SQLite's user_version counts them; 1 by default. */
  readonly firstVersion?: number
  /** How long a statement waits for another process. */
  readonly busyTimeoutMs: number
  /** Changes nothing: the file must exist and be at the newest version. */
  readonly readOnly?: boolean
}

/** By position, or one object of values by name. */
type Parameters = SQLInputValue[] | [Readonly<Record<string, SQLInputValue>>]

export interface SqliteStatement<Row> {
  all(...parameters: Parameters): Row[]
  first(...parameters: Parameters): Row | null
  /** Each row as the list of its columns. */
  lists(...parameters: Parameters): unknown[][]
  /** Returns how many rows it changed. */
  run(...parameters: Parameters): number
  /** Once for each of the lists of parameters. */
  runMany(lists: Iterable<readonly SQLInputValue[]>): number
}

/** Closes the file again if `createStore` fails. */
export async function openSqliteFile<Store>(
  options: SqliteFileOptions,
  createStore: (file: SqliteFile) => Store,
): Promise<Store> {
  const file = new SqliteFile(options)
  try {
    // Checked before any write: the file of a newer Weir is left as it is.
    file.readVersion()
    if (options.readOnly === true) {
      file.requireCurrent()
    } else {
      await switchToWal(file)
      // On the disk before the call returns, also when the power fails.
      file.database.exec('PRAGMA synchronous = FULL')
      file.migrate()
    }
    return file.guard(() => createStore(file))
  } catch (error) {
    file.close()
    throw error
  }
}

export class SqliteFile {
  /** `The settings store FILE`: how a message about it begins. */
  readonly title: string
  readonly path: string
  /** For what the methods below do not cover; SQLite's errors are not translated. */
  readonly database: DatabaseSync
  readonly #options: SqliteFileOptions
  readonly #firstVersion: number
  readonly #newestVersion: number
  readonly #busyTimeoutMs: number
  readonly #kept = new Map<string, SqliteStatement<unknown>>()
  readonly #readers: SqliteFile[] = []

  constructor(options: SqliteFileOptions) {
    const { file, name, migrations, firstVersion = 1, busyTimeoutMs, readOnly = false } = options
    this.title = `The ${name} ${file}`
    this.path = file
    this.#options = options
    this.#firstVersion = firstVersion
    this.#newestVersion = firstVersion + migrations.length - 1
    this.#busyTimeoutMs = busyTimeoutMs
    this.database = this.guard(() => {
      if (!readOnly) createPrivateFile(file)
      return new DatabaseSync(file, {
        readOnly,
        timeout: busyTimeoutMs,
        enableForeignKeyConstraints: true,
      })
    })
  }

  prepare<Row>(sql: string): SqliteStatement<Row> {
    const statement = this.guard(() => this.database.prepare(sql))
    // node:sqlite declares the two kinds of parameters as overloads, which accept no union.
    const list = (parameters: Parameters): SQLInputValue[] => parameters as SQLInputValue[]
    return {
      all: (...parameters) =>
        this.guard(() => readExactly(statement, () => statement.all(...list(parameters)) as Row[])),
      first: (...parameters) =>
        this.guard(() => {
          const read = (): Row[] => [statement.get(...list(parameters)) as Row]
          return readExactly(statement, read)[0] ?? null
        }),
      lists: (...parameters) =>
        this.guard(() => {
          statement.setReturnArrays(true)
          try {
            const read = (): unknown => statement.all(...list(parameters))
            return readExactly(statement, read as () => unknown[][])
          } finally {
            statement.setReturnArrays(false)
          }
        }),
      run: (...parameters) => this.guard(() => Number(statement.run(...list(parameters)).changes)),
      runMany: (lists) =>
        this.guard(() => {
          let changed = 0
          for (const parameters of lists) changed += Number(statement.run(...parameters).changes)
          return changed
        }),
    }
  }

  /** Keeps what it prepares. For texts of which there is a limited number of kinds. */
  prepareOnce<Row>(sql: string): SqliteStatement<Row> {
    const kept = this.#kept.get(sql)
    if (kept !== undefined) return kept as SqliteStatement<Row>
    const statement = this.prepare<Row>(sql)
    if (this.#kept.size >= STATEMENTS_KEPT_MAX) this.#kept.clear()
    this.#kept.set(sql, statement)
    return statement
  }

  /** All or nothing. Takes the write lock at once: SQLite lets no stale reader write later. */
  transact<Result>(change: () => Result): Result {
    return this.guard(() => {
      this.database.exec('BEGIN IMMEDIATE')
      try {
        const result = change()
        this.database.exec('COMMIT')
        return result
      } finally {
        // SQLite itself rolls back on a full disk; a second ROLLBACK would hide the reason.
        if (this.database.isTransaction) this.database.exec('ROLLBACK')
      }
    })
  }

  /** Fails at once while another process writes; a power cut may undo it. No checkpoint follows. */
  async changeWithoutWaiting<Result>(change: () => Promise<Result>): Promise<Result> {
    this.database.exec(
      `PRAGMA busy_timeout = 0; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = ${WAL_PAGES_LEFT_MAX}`,
    )
    try {
      return await change()
    } finally {
      this.database.exec(
        `PRAGMA busy_timeout = ${this.#busyTimeoutMs}; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${WAL_PAGES_MAX}`,
      )
    }
  }

  /** Moves the log into the file itself. Waits for the disk, but for no other process. */
  checkpoint(): void {
    this.guard(() => this.database.exec('PRAGMA wal_checkpoint(PASSIVE)'))
  }

  /** Throws when a Weir wrote the file whose tables are not known here. */
  readVersion(): number {
    const row = this.prepare<{ user_version: number }>('PRAGMA user_version').first()
    const version = Number(row?.user_version)
    if (version !== 0 && version < this.#firstVersion) {
      throw new WeirError('store_unusable', `${this.title} is of a Weir before 0.1.0.`, {
        hint: 'Start Weir 0.1.0 once on this data directory: this Weir can use what it leaves.',
      })
    }
    if (version <= this.#newestVersion) return version
    throw new WeirError(
      'store_unusable',
      `${this.title} is of a newer Weir: it has version ${version}; ` +
        `this Weir knows versions up to ${this.#newestVersion}.`,
      {
        hint: 'Run the newer Weir that wrote it, or put a backup from before the upgrade in its place.',
      },
    )
  }

  requireCurrent(): void {
    const version = this.readVersion()
    if (version === this.#newestVersion) return
    throw new WeirError('store_unusable', `${this.title} has the older version ${version}.`, {
      hint: 'Start Weir once on this data directory: it brings the store up to date.',
    })
  }

  /** Each process checks the version again once it has the lock, so a step is taken once. */
  migrate(): void {
    if (this.readVersion() === this.#newestVersion) return
    this.transact(() => {
      const version = this.readVersion()
      const done = version === 0 ? 0 : version - this.#firstVersion + 1
      for (const step of this.#options.migrations.slice(done)) this.database.exec(step)
      this.database.exec(`PRAGMA user_version = ${this.#newestVersion}`)
    })
  }

  /** Another connection, which changes nothing and is closed with this one. */
  openReader(): SqliteFile {
    const reader = new SqliteFile({ ...this.#options, readOnly: true })
    this.#readers.push(reader)
    return reader
  }

  close(): void {
    // First: the last one that is closed moves the log into the file, which a reader cannot.
    for (const reader of this.#readers) reader.close()
    if (this.database.isOpen) this.database.close()
  }

  /** Makes errors useful to an operator. What is no fault of the store is left as it is. */
  guard<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      const isOwn = !(error instanceof Error) || error instanceof WeirError
      if (isOwn || isDataFault(error)) throw error
      const message = `${this.title} cannot be used: ${error.message}.`
      const options = { hint: HINTS.get(primaryCode(error)) ?? HINT, cause: error }
      if (BUSY_CODES.has(primaryCode(error))) throw new StoreBusy(message, options)
      throw new WeirError('store_unusable', message, options)
    }
  }
}

/** node:sqlite refuses to make a number of an integer beyond 2^53: such rows are read again. */
function readExactly<Row>(statement: StatementSync, read: () => Row[]): Row[] {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error
  }
  statement.setReadBigInts(true)
  try {
    return read().map(toExactNumbers)
  } finally {
    statement.setReadBigInts(false)
  }
}

function toExactNumbers<Row>(row: Row): Row {
  const values = row as Record<string, unknown>
  for (const column of Object.keys(values)) {
    const value = values[column]
    if (typeof value !== 'bigint') continue
    const number = Number(value)
    if (Number.isSafeInteger(number)) values[column] = number
  }
  return row
}

// SQLite would use the umask; its -wal and -shm files copy this file's mode. An existing file is
// not opened: closing it would drop the locks of this process's other connections
// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

// Opening a new file in two processes at once collides here: SQLite refuses one without waiting, as
// its busy timeout does not cover this switch. On a switched file it is a read.
async function switchToWal(file: SqliteFile): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const row = file.prepare<{ journal_mode: string }>('PRAGMA journal_mode = WAL').first()
      if (row?.journal_mode === 'wal') return
      throw new WeirError(
        'store_unusable',
        `${file.title} cannot be shared between processes (${row?.journal_mode}).`,
        {
          hint: 'Put the data directory on a local disk: SQLite needs more than network disks have.',
        },
      )
    } catch (error) {
      if (!(error instanceof StoreBusy) || attempt === WAL_ATTEMPTS_MAX) throw error
      await setTimeout(WAL_PAUSE_MS)
    }
  }
}

/** SQLite's extended codes keep the primary one in their lowest byte. */
function primaryCode(error: unknown): number {
  const { errcode = 0 } = (error ?? {}) as { errcode?: number }
  return errcode & 0xff
}

/** TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const DATA_FAULTS: ReadonlySet<number> = new Set([18, 19, 20, 25])
const SQLITE_ERROR = 1
/** Node's codes for values that it cannot hand to SQLite or read. */
const CANNOT_BIND = /^ERR_(?:INVALID_ARG|OUT_OF_RANGE)/

/** True: what was to be written is at fault, or Weir. False: the store is, and a retry may help. */
export function isDataFault(error: unknown): boolean {
  if (error instanceof WeirError) return false
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || CANNOT_BIND.test(code)) return true
  const primary = primaryCode(error)
  return DATA_FAULTS.has(primary) || (primary === SQLITE_ERROR && message.includes('overflow'))
}
