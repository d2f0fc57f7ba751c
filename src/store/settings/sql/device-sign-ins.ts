// Sign-ins by device code. Must stay true: what is used up and what is given are one transaction.

import { DEVICE_CODE_MS, POLL_SECONDS } from '../../../core/agents/device-code.ts'
import { createRefreshCredential, isSecretOf } from '../../../core/ids.ts'
import type { Sql } from '../../sql/sql.ts'
import { WAITING_MAX, WAITING_PER_ADDRESS_MAX } from '../device-sign-in-store.ts'
import type {
  DeviceSignInStore,
  IssuedTokens,
  NextTokens,
  RedeemedCode,
  RefreshedTokens,
} from '../device-sign-in-store.ts'
import { giveKeySecret, revokeKeyIn } from './keys.ts'
import type { SettingsTools } from './tools.ts'

interface Row {
  id: string
  status: 'asked' | 'approved' | 'denied' | 'signed_in'
  asked_at: number
  ends_at: number
  polled_at: number | null
  agent: string | null
  address: string
  user_id: string | null
  key_id: string | null
  refresh_hash: string | null
  seen_at_address: string | null
}

const SELECT = `SELECT id, status, asked_at, ends_at, polled_at, agent, address, user_id, key_id,
  refresh_hash, seen_at_address FROM device_sign_ins`
/** A client that keeps to the interval may be a little early. */
const POLL_MS_MIN = (POLL_SECONDS - 1) * 1000

export function createDeviceSignIns(tools: SettingsTools): DeviceSignInStore {
  const { database, clock } = tools

  const findWaiting = (sql: Sql, codeHash: string): Promise<Row | null> =>
    // Found by its hash: the time this takes reveals nothing about the code.
    sql.first<Row>(`${SELECT} WHERE code_hash = ? AND ends_at > ?`, [codeHash, clock.now()])

  async function end(sql: Sql, { id, key_id: keyId }: Row): Promise<void> {
    await sql.run('DELETE FROM device_sign_ins WHERE id = ?', [id])
    if (keyId !== null) await revokeKeyIn(sql, tools, keyId)
  }

  return {
    ask: (asked) => database.transact((sql) => insertAsked(sql, tools, asked)),

    async find(codeHash) {
      const row = await findWaiting(database, codeHash)
      if (row === null) return null
      const { agent, address, asked_at: askedAt, ends_at: endsAt } = row
      return { agent, address, askedAt, endsAt }
    },

    decide: (codeHash, decision) =>
      database.transact(async (sql) => {
        const row = await findWaiting(sql, codeHash)
        if (row === null) return false
        const { userId, keyId } =
          decision.kind === 'approved' ? decision : { userId: null, keyId: null }
        const text = `UPDATE device_sign_ins
          SET status = ?, code_hash = NULL, user_id = ?, key_id = ? WHERE id = ?`
        await sql.run(text, [decision.kind, userId, keyId, row.id])
        return true
      }),

    redeem: (deviceHash, next) =>
      database.transact(async (sql): Promise<RedeemedCode> => {
        const row = await sql.first<Row>(`${SELECT} WHERE device_hash = ?`, [deviceHash])
        if (row === null || row.status === 'signed_in') return { kind: 'unknown' }
        const nowMs = clock.now()
        if (row.ends_at <= nowMs) return { kind: 'expired' }
        if (row.status === 'denied') return { kind: 'denied' }
        if (row.status === 'approved') {
          return (await issue(sql, tools, { row, next, graceMs: 0 })) ?? { kind: 'denied' }
        }
        const text = 'UPDATE device_sign_ins SET polled_at = ? WHERE id = ?'
        await sql.run(text, [nowMs, row.id])
        const isEarly = row.polled_at !== null && nowMs - row.polled_at < POLL_MS_MIN
        return { kind: isEarly ? 'slow_down' : 'pending' }
      }),

    refresh: ({ id, secret }, next) =>
      database.transact(async (sql): Promise<RefreshedTokens> => {
        const row = await findSignedIn(sql, id)
        if (row === null || row.ends_at <= clock.now()) return { kind: 'refused' }
        if (!isSecretOf(secret, row.refresh_hash ?? '')) {
          // Windows of one client share a sign-in, and each finds out too late that another one has
          // refreshed it: to end it for all of them would be the harm. See decision 0079.
          if (row.seen_at_address === next.address) return { kind: 'refused' }
          await end(sql, row)
          return { kind: 'reused' }
        }
        return (await issue(sql, tools, { row, next })) ?? { kind: 'refused' }
      }),

    end: (which) =>
      database.transact(async (sql) => {
        const row =
          'keyId' in which
            ? await sql.first<Row>(`${SELECT} WHERE key_id = ?`, [which.keyId])
            : await findSignedIn(sql, which.id)
        const isTheirs =
          row !== null && ('keyId' in which || isSecretOf(which.secret, row.refresh_hash ?? ''))
        if (isTheirs) await end(sql, row)
        return isTheirs
      }),
  }
}

function findSignedIn(sql: Sql, id: string): Promise<Row | null> {
  return sql.first<Row>(`${SELECT} WHERE id = ? AND status = 'signed_in'`, [id])
}

async function insertAsked(
  sql: Sql,
  { clock }: SettingsTools,
  { codeHash, deviceHash, agent, address }: Parameters<DeviceSignInStore['ask']>[0],
): Promise<boolean> {
  const nowMs = clock.now()
  // Somewhat later than they end: until then, a client is told why.
  await sql.run('DELETE FROM device_sign_ins WHERE ends_at <= ?', [nowMs - DEVICE_CODE_MS])
  const waiting = await sql.first<{ n: number; own: number }>(
    `SELECT COUNT(*) AS n, COALESCE(SUM(CASE WHEN address = ? THEN 1 ELSE 0 END), 0) AS own
      FROM device_sign_ins WHERE code_hash IS NOT NULL AND ends_at > ?`,
    [address, nowMs],
  )
  const { n, own } = waiting ?? { n: 0, own: 0 }
  if (Number(n) >= WAITING_MAX || Number(own) >= WAITING_PER_ADDRESS_MAX) return false
  await sql.run(
    `INSERT INTO device_sign_ins
      (id, code_hash, device_hash, status, asked_at, ends_at, agent, address)
      VALUES (?, ?, ?, 'asked', ?, ?, ?, ?)`,
    [
      createRefreshCredential().id,
      codeHash,
      deviceHash,
      nowMs,
      nowMs + DEVICE_CODE_MS,
      agent,
      address,
    ],
  )
  return true
}

interface Issue {
  readonly row: Row
  readonly next: NextTokens
  readonly graceMs?: number
}

/** Null where the person may not sign in any more, or the key was revoked. */
async function issue(
  sql: Sql,
  tools: SettingsTools,
  { row, next, graceMs }: Issue,
): Promise<IssuedTokens | null> {
  const { id, key_id: keyId, user_id: userId } = row
  const text = 'SELECT id FROM users WHERE id = ? AND disabled_at IS NULL'
  if (keyId === null || userId === null || (await sql.first(text, [userId])) === null) return null
  const { secretHash, accessEndsAt: endsAt } = next
  if (!(await giveKeySecret(sql, tools, { keyId, secretHash, endsAt, graceMs }))) return null
  await sql.run(
    `UPDATE device_sign_ins
      SET status = 'signed_in', ends_at = ?, refresh_hash = ?, seen_at_address = ? WHERE id = ?`,
    [next.refreshEndsAt, next.refreshHash, next.address, id],
  )
  return { kind: 'issued', id, keyId, userId }
}
