import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD_COST, hashPassword, isPasswordOf } from './password-hash.ts'

const CHEAP = { rounds: 16, blocks: 1, lanes: 1 }

test('a password is right for its hash and for no other', async () => {
  const kept = await hashPassword('correct horse', CHEAP)
  assert.match(kept, /^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/)
  assert.ok(await isPasswordOf('correct horse', kept))
  assert.ok(!(await isPasswordOf('correct horsf', kept)))
  assert.ok(!(await isPasswordOf('', kept)))
  assert.notEqual(await hashPassword('correct horse', CHEAP), kept)
})

test('without being told otherwise it costs what OWASP asks for', async () => {
  const [, rounds, blocks, lanes] = (await hashPassword('correct horse')).split('$').map(Number)
  assert.deepEqual([rounds, blocks, lanes], [32_768, 8, 3])
  assert.deepEqual(PASSWORD_COST, { rounds, blocks, lanes })
})

test('letters that look the same are the same, however they were typed', async () => {
  const kept = await hashPassword('caf\u00e9 \ufb01ne', CHEAP)
  assert.ok(await isPasswordOf('cafe\u0301 fine', kept))
})

test('somebody who is not there costs as much as somebody who is', async () => {
  const kept = await hashPassword('correct horse')
  const cpuMs = async (of: string | null): Promise<number> => {
    const before = process.cpuUsage()
    assert.ok(!(await isPasswordOf('wrong', of)))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const [known, unknown, damaged] = [
    await cpuMs(kept),
    await cpuMs(null),
    await cpuMs('scrypt$damaged'),
  ]
  for (const cost of [unknown, damaged]) {
    assert.ok(cost > known / 3, `${cost} ms of CPU against ${known} ms`)
  }
})

test('two are computed at once, the others wait their turn, and too many are turned away', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => hashPassword('correct horse', CHEAP)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 40 - 34)
  assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'rate_limited')
  // The places are free again.
  await Promise.all(Array.from({ length: 34 }, () => hashPassword('correct horse', CHEAP)))
})
