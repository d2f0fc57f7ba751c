// A connection to a SQLite file: statements are written with Kysely and run by node:sqlite at once.
// Must stay true: a transaction begins and ends within one turn of the event loop. SQLite waits for a
// lock by blocking the thread, so a transaction that awaits would lock out its own process.

import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Compilable } from 'kysely'
import { WeirError } from '../../core/weir-error.ts'

/** How long a statement waits for another process. A change holds the file for some milliseconds. */
export const BUSY_TIMEOUT_MS = 5000

// Primary result codes, https://www.sqlite.org/rescode.html
const SQLITE_BUSY = 5
const HINTS: ReadonlyMap<number, string> = new Map([
  [
    SQLITE_BUSY,
    'Another process holds the file. Try again; if it stays so, look for a process that hangs.',
  ],
  [8, 'Let the user that runs Weir write the file and its directory.'],
  [13, 'The disk is full. Make room and try again.'],
  [26, 'The file is no SQLite database. Put a backup in its place, or move it away to begin anew.'],
])
const HINT = 'Check that the directory exists, that Weir may write it, and that the disk is sound.'

/** What a pragma answers. */
export type SqliteValue = string | number | null

export class NodeSqlite<Tables> {
  /** Builds statements only; nothing runs through it. */
  readonly build: Kysely<Tables>
  readonly #file: string
  readonly #database: DatabaseSync

  constructor(file: string) {
    this.#file = file
    this.build = createBuilder<Tables>()
    this.#database = this.guard(() => {
      createPrivateFile(file)
      return new DatabaseSync(file, {
        timeout: BUSY_TIMEOUT_MS,
        enableForeignKeyConstraints: true,
      })
    })
  }

  all<Row>(query: Compilable<Row>): Row[] {
    const { sql, parameters } = query.compile()
    return this.guard(
      () => this.#database.prepare(sql).all(...(parameters as SQLInputValue[])) as Row[],
    )
  }

  first<Row>(query: Compilable<Row>): Row | null {
    return this.all(query)[0] ?? null
  }

  /** Returns how many rows it changed. */
  run(query: Compilable<unknown>): number {
    const { sql, parameters } = query.compile()
    return this.guard(() =>
      Number(this.#database.prepare(sql).run(...(parameters as SQLInputValue[])).changes),
    )
  }

  /** For what is no query: pragmas and the text of migrations. */
  execute(sql: string): void {
    this.guard(() => this.#database.exec(sql))
  }

  pragma(text: string): SqliteValue {
    const row = this.guard(() => this.#database.prepare(`pragma ${text}`).get())
    return row === undefined ? null : (Object.values(row)[0] as SqliteValue)
  }

  /** For statements that run so often that compiling them each time would show. */
  prepare(query: Compilable<unknown>): StatementSync {
    const { sql } = query.compile()
    return this.guard(() => this.#database.prepare(sql))
  }

  /**
   * All of it or nothing. It takes the write lock at its start: a transaction that reads first and
   * writes later is refused by SQLite when another process wrote in between, without any waiting.
   */
  write<Result>(change: () => Result): Result {
    this.execute('begin immediate')
    try {
      const result = change()
      this.execute('commit')
      return result
    } finally {
      if (this.#database.isTransaction) this.#database.exec('rollback')
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  /** Translates what SQLite says into what an operator can act on. */
  guard<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw toStoreError(this.#file, error)
    }
  }
}

function createBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

/**
 * SQLite would create the file by the umask; its -wal and -shm files take this file's mode over.
 * A file that exists is not opened here: closing it would drop the locks which other connections of
 * this process hold on it (https://www.sqlite.org/howtocorrupt.html, section 2.2).
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Whether another process held the file at that moment. */
export function isBusy(error: unknown): boolean {
  return error instanceof WeirError && primaryCode(error.cause) === SQLITE_BUSY
}

function toStoreError(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof WeirError) return error
  const message = `The settings store ${file} cannot be used: ${error.message}.`
  const hint = HINTS.get(primaryCode(error)) ?? HINT
  return new WeirError('store_unusable', message, { hint, cause: error })
}

/** SQLite's extended codes keep the primary one in their lowest byte. */
function primaryCode(error: unknown): number {
  const { errcode } = error as { errcode?: number }
  return (errcode ?? 0) & 0xff
}
