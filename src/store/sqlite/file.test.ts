import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { openSqliteFile } from './file.ts'
import type { SqliteFile, SqliteFileOptions } from './file.ts'

const root = mkdtempSync(path.join(tmpdir(), 'weir-sqlite-'))
after(() => rmSync(root, { recursive: true }))

let files = 0
function createOptions(changes: Partial<SqliteFileOptions> = {}): SqliteFileOptions {
  files += 1
  const file = path.join(root, `${files}.db`)
  const migrations = ['CREATE TABLE words (word TEXT NOT NULL)']
  return { file, name: 'word store', migrations, busyTimeoutMs: 5000, ...changes }
}

function open(options: SqliteFileOptions): Promise<SqliteFile> {
  return openSqliteFile(options, (file) => file)
}

test('a new file is private and has taken every step', async () => {
  const options = createOptions()
  const file = await open(options)
  assert.equal(file.prepare('INSERT INTO words VALUES (?)').run('weir'), 1)
  assert.equal(file.prepare<{ word: string }>('SELECT word FROM words').first()?.word, 'weir')
  assert.equal(file.readVersion(), 1)
  for (const suffix of ['', '-wal', '-shm']) {
    assert.equal(statSync(options.file + suffix).mode & 0o777, 0o600)
  }
  file.close()
})

test('an older file takes the missing steps only; one that only reads asks for them', async () => {
  const options = createOptions()
  const older = await open(options)
  older.prepare('INSERT INTO words VALUES (?)').run('kept')
  older.close()
  const migrations = [...options.migrations, 'ALTER TABLE words ADD COLUMN length INTEGER']
  await assert.rejects(open({ ...options, migrations, readOnly: true }), {
    code: 'store_unusable',
    message: `The word store ${options.file} has the older version 1.`,
    hint: /Start Weir once/,
  })
  const file = await open({ ...options, migrations })
  const rows = file.prepare<{ word: string }>('SELECT word, length FROM words').all()
  assert.deepEqual(
    rows.map((row) => row.word),
    ['kept'],
  )
  file.close()
})

test('a file from before the first step that is known is refused, and left as it is', async () => {
  const options = createOptions()
  const before = await open(options)
  before.close()
  const opening = open({ ...options, migrations: ['DROP TABLE words'], firstVersion: 2 })
  await assert.rejects(opening, {
    code: 'store_unusable',
    message: `The word store ${options.file} is of a Weir before 0.1.0.`,
    hint: /Start Weir 0\.1\.0 once/,
  })
  const after = await open(options)
  assert.equal(after.readVersion(), 1)
  after.close()
})

test('a statement that is kept is the same one, with other values each time', async () => {
  const file = await open(createOptions())
  const insert = file.prepareOnce('INSERT INTO words VALUES (?)')
  assert.equal(file.prepareOnce('INSERT INTO words VALUES (?)'), insert)
  assert.notEqual(file.prepare('INSERT INTO words VALUES (?)'), insert)
  for (const word of ['one', 'two']) insert.run(word)
  const select = file.prepareOnce<{ word: string }>('SELECT word FROM words ORDER BY word')
  assert.deepEqual(
    select.all().map(({ word }) => word),
    ['one', 'two'],
  )
  file.close()
  assert.throws(() => insert.run('three'), { code: 'store_unusable' })
})

test('a step that fails leaves the file as it was', async () => {
  const options = createOptions()
  const migrations = [...options.migrations, 'CREATE TABLE others (a); SELECT nonsense']
  await assert.rejects(open({ ...options, migrations }), { code: 'store_unusable' })
  const database = new DatabaseSync(options.file)
  assert.deepEqual(database.prepare('SELECT name FROM sqlite_schema').all(), [])
  assert.equal(database.prepare('PRAGMA user_version').get()?.['user_version'], 0)
  database.close()
})

test('a transaction that fails changes nothing, and the next one works', async () => {
  const file = await open(createOptions())
  const insert = file.prepare('INSERT INTO words VALUES (?)')
  const defect = new Error('a defect')
  const fail = (): void => {
    insert.run('lost')
    throw defect
  }
  // Not translated: what neither SQLite nor the file system said is no fault of the file.
  assert.throws(() => file.transact(fail), defect)
  file.transact(() => insert.run('kept'))
  const rows = file.prepare<{ word: string }>('SELECT word FROM words').all()
  assert.deepEqual(
    rows.map((row) => row.word),
    ['kept'],
  )
  file.close()
})

test('what fails while the store is made names the file and says what to do', async () => {
  const options = createOptions()
  const opening = openSqliteFile(options, (file) => file.database.prepare('SELECT * FROM nowhere'))
  await assert.rejects(opening, {
    code: 'store_unusable',
    message: `The word store ${options.file} cannot be used: no such table: nowhere.`,
    hint: /disk is sound/,
  })
})

test('a file that another connection has locked is waited for, then refused with a remedy', async () => {
  const options = createOptions({ busyTimeoutMs: 1 })
  const locked = await open(options)
  const file = await open(options)
  locked.transact(() => {
    assert.throws(() => file.transact(() => 0), {
      code: 'store_unusable',
      hint: /Another process has the file locked/,
    })
  })
  assert.equal(
    file.transact(() => 1),
    1,
  )
  file.close()
  locked.close()
})

test('what does not wait for the disk stays in the log until a checkpoint', async () => {
  const options = createOptions()
  const file = await open(options)
  file.database.exec('CREATE TABLE large (bytes BLOB)')
  const insert = file.prepare('INSERT INTO large VALUES (?)')
  const bytes = Buffer.alloc(8_000_000)
  await file.changeWithoutWaiting(async () => insert.run(bytes))
  assert.ok(statSync(options.file).size < bytes.length)
  file.checkpoint()
  assert.ok(statSync(options.file).size >= bytes.length)
  // Other writes go on as before.
  insert.run(bytes)
  assert.ok(statSync(options.file).size >= 2 * bytes.length)
  file.close()
})

const CHILD = `
  const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
  database.exec('BEGIN IMMEDIATE')
`

test('opening a file keeps the lock that another connection of this process has on it', async () => {
  const options = createOptions()
  const locked = new DatabaseSync(options.file)
  locked.exec('PRAGMA user_version = 2; BEGIN IMMEDIATE')
  await assert.rejects(open(options), { hint: /newer Weir/ })
  const child = promisify(execFile)(process.execPath, ['--eval', CHILD, options.file])
  await assert.rejects(child, /database is locked/)
  locked.close()
})
