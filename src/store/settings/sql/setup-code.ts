// The one-time code of the first administrator. Must stay true: there is never a second code, it is
// spent in the transaction that creates the administrator, and it is useless once there is one: it
// may be in a log.

import { createSecret, hashSecret, isSecretOf } from '../../../core/ids.ts'
import { toUserActor } from '../../../core/user.ts'
import type { Sql } from '../../sql/sql.ts'
import type { SetupCode } from '../setup-code.ts'
import type { SettingsTools } from './tools.ts'
import { insertUser, IS_ADMINISTRATOR } from './users.ts'

const NO_ADMINISTRATOR = `NOT EXISTS (SELECT 1 FROM users WHERE ${IS_ADMINISTRATOR})`
const SELECT_UNSPENT = `SELECT code_hash FROM setup_code
  WHERE spent_at IS NULL AND ${NO_ADMINISTRATOR}`
// The row stays when the code is spent, so there is never a second code.
const INSERT = `INSERT INTO setup_code (id, code_hash, created_at, spent_at)
  SELECT 1, CAST(? AS TEXT), CAST(? AS BIGINT), NULL WHERE ${NO_ADMINISTRATOR}
  ON CONFLICT DO NOTHING`

export function createSetupCode(tools: SettingsTools): SetupCode {
  const { database, clock } = tools

  return {
    async create() {
      const code = createSecret()
      const values = [hashSecret(code), clock.now()]
      const inserted = await database.transact((sql) => sql.run(INSERT, values))
      return inserted === 1 ? code : null
    },

    async isOpen() {
      return (await database.first(SELECT_UNSPENT)) !== null
    },

    isRight: (code) => isRight(database, code),

    async redeem(code, settings) {
      // A wrong code is refused without the write lock: anyone may send one.
      if (!(await isRight(database, code))) return null
      return database.transact(async (sql) => {
        // Of two requests with the right code at once, the second finds it spent.
        if (!(await isRight(sql, code))) return null
        await sql.run('UPDATE setup_code SET spent_at = ?', [clock.now()])
        const administrator = { ...settings, role: 'admin' } as const
        return insertUser(sql, tools, { settings: administrator, toActor: toUserActor })
      })
    },
  }
}

async function isRight(sql: Sql, code: string): Promise<boolean> {
  const row = await sql.first<{ code_hash: string }>(SELECT_UNSPENT)
  return row !== null && isSecretOf(code, row.code_hash)
}
