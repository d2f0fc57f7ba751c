// What every engine behind SqlDatabase must do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { SqlDatabase } from '../../../src/store/sql/sql.ts'

/** Two connections to the same new database. */
export type OpenDatabases = (context: TestContext) => Promise<readonly [SqlDatabase, SqlDatabase]>

export function sqlDatabaseContract(title: string, open: OpenDatabases): void {
  async function openScene(context: TestContext) {
    const [one, other] = await open(context)
    await one.run('CREATE TABLE things (id TEXT PRIMARY KEY, amount BIGINT NOT NULL)')
    const insert = 'INSERT INTO things (id, amount) VALUES (:id, :amount)'
    return { one, other, insert }
  }

  test(`${title}: parameters go by position or by name, and a name may come twice`, async (t) => {
    const { one, insert } = await openScene(t)
    assert.equal(await one.run(insert, { id: "a'?", amount: 5 }), 1)
    assert.equal(await one.run('INSERT INTO things VALUES (?, ?)', ['b', 7n]), 1)
    const found = await one.first<{ id: string }>(
      "SELECT id FROM things WHERE amount = :amount OR amount = :amount + 0 AND id <> ':x ?'",
      { amount: 5 },
    )
    assert.equal(found?.id, "a'?")
    assert.equal(await one.first('SELECT id FROM things WHERE id = ?', ['none']), null)
    const rows = await one.all<{ amount: number }>('SELECT amount FROM things ORDER BY amount')
    assert.deepEqual(
      rows.map(({ amount }) => amount),
      [5, 7],
    )
  })

  test(`${title}: a change that throws leaves nothing, and the next one works`, async (t) => {
    const { one, insert } = await openScene(t)
    const failing = one.transact(async (sql) => {
      await sql.run(insert, { id: 'a', amount: 1 })
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    await one.transact((sql) => sql.run(insert, { id: 'b', amount: 1 }))
    assert.deepEqual(
      (await one.all<{ id: string }>('SELECT id FROM things')).map(({ id }) => id),
      ['b'],
    )
  })

  test(`${title}: a statement that fails undoes the whole change`, async (t) => {
    const { one, insert } = await openScene(t)
    const failing = one.transact(async (sql) => {
      await sql.run(insert, { id: 'a', amount: 1 })
      await sql.run(insert, { id: 'a', amount: 2 })
    })
    await assert.rejects(failing)
    assert.deepEqual(await one.all('SELECT id FROM things'), [])
  })

  test(`${title}: changes are serialized, so that none is lost`, async (t) => {
    const { one, other, insert } = await openScene(t)
    await one.run(insert, { id: 'sum', amount: 0 })
    const add = (database: SqlDatabase) =>
      database.transact(async (sql) => {
        const row = await sql.first<{ amount: number }>('SELECT amount FROM things')
        await sql.run('UPDATE things SET amount = ?', [Number(row?.amount) + 1])
      })
    await Promise.all(Array.from({ length: 40 }, (_, at) => add(at % 2 === 0 ? one : other)))
    assert.equal((await other.first<{ amount: number }>('SELECT amount FROM things'))?.amount, 40)
  })

  test(`${title}: reads taken together see one state`, async (t) => {
    const { one, other, insert } = await openScene(t)
    await one.run(insert, { id: 'a', amount: 1 })
    await one.readSnapshot(async (sql) => {
      const before = await sql.all('SELECT * FROM things')
      await other.run(insert, { id: 'b', amount: 1 })
      assert.deepEqual(await sql.all('SELECT * FROM things'), before)
    })
    assert.equal((await one.all('SELECT * FROM things')).length, 2)
  })

  test(`${title}: a statement beside a transaction is not part of it`, async (t) => {
    const { one, insert } = await openScene(t)
    const change = one.transact(async (sql) => {
      await sql.run(insert, { id: 'a', amount: 1 })
      throw new Error('no')
    })
    const beside = one.run(insert, { id: 'b', amount: 1 })
    await assert.rejects(change, /no/)
    await beside
    assert.deepEqual((await one.all<{ id: string }>('SELECT id FROM things'))[0]?.id, 'b')
  })
}
