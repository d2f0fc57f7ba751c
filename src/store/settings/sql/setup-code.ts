// The one-time code of the first administrator. Must stay true: there is never a second code, it is
// spent in the transaction that creates the administrator, and it is useless once there is one: it
// may be in a log.

import { createSecret, hashSecret, isSecretOf } from '../../../core/ids.ts'
import { toUserActor } from '../../../core/user.ts'
import type { SetupCode } from '../setup-code.ts'
import { IS_ADMINISTRATOR, prepareUserInsert } from './users.ts'
import type { UsersOptions } from './users.ts'

const NO_ADMINISTRATOR = `NOT EXISTS (SELECT 1 FROM users WHERE ${IS_ADMINISTRATOR})`
const UNSPENT = `spent_at IS NULL AND ${NO_ADMINISTRATOR}`

export function createSetupCode(options: UsersOptions): SetupCode {
  const { file, clock } = options
  const insertUser = prepareUserInsert(options)
  // The row stays when the code is spent, so there is never a second code.
  const insertCode = file.prepareOnce(`INSERT INTO setup_code (id, code_hash, created_at, spent_at)
    SELECT 1, ?, ?, NULL WHERE ${NO_ADMINISTRATOR} ON CONFLICT DO NOTHING`)
  const selectUnspent = file.prepareOnce<{ code_hash: string }>(
    `SELECT code_hash FROM setup_code WHERE ${UNSPENT}`,
  )
  const spend = file.prepareOnce(`UPDATE setup_code SET spent_at = ? WHERE ${UNSPENT}`)

  const isRight = (code: string): boolean => {
    const row = selectUnspent.first()
    return row !== null && isSecretOf(code, row.code_hash)
  }

  return {
    async create() {
      const code = createSecret()
      return insertCode.run(hashSecret(code), clock.now()) === 1 ? code : null
    },

    async isOpen() {
      return selectUnspent.first() !== null
    },

    isRight: async (code) => isRight(code),

    async redeem(code, settings) {
      if (!isRight(code)) return null
      return file.transact(() => {
        // Of two requests with the right code at once, the second changes no row here.
        if (spend.run(clock.now()) === 0) return null
        return insertUser({ ...settings, role: 'admin' }, toUserActor)
      })
    },
  }
}
