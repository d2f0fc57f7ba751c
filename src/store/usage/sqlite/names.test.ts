import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { MIGRATIONS } from '../../ledger/sqlite/migrations.ts'
import { createNames } from './names.ts'

function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const step of MIGRATIONS) database.exec(step)
  return database
}

test('a name keeps its id, also when more names came than are remembered', () => {
  const database = openDatabase()
  const names = createNames(database, 2)
  const first = ['a', 'b', 'c', 'd'].map((name) => names.idOf(name))
  assert.equal(new Set(first).size, 4)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => names.idOf(name)),
    first,
  )
  assert.equal(names.idOf(''), 0)
  database.close()
})

test('an id of a transaction that failed is not given out again from memory', () => {
  const database = openDatabase()
  const names = createNames(database)
  database.exec('BEGIN')
  names.idOf('lost')
  database.exec('ROLLBACK')
  names.forget()
  const id = names.idOf('lost')
  assert.equal(database.prepare('SELECT name FROM names WHERE id = ?').get(id)?.['name'], 'lost')
  database.close()
})
