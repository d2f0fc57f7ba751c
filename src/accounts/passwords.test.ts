import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD_COST, createPasswords } from './passwords.ts'

const passwords = createPasswords()

const CHEAP = { rounds: 16, blocks: 1, lanes: 1 }

test('a password is right for its hash and for no other', async () => {
  const kept = await passwords.hash('correct horse', CHEAP)
  assert.match(kept, /^scrypt\$16\$1\$1\$[\w-]{22}\$[\w-]{43}$/)
  assert.ok(await passwords.isMatch('correct horse', kept))
  assert.ok(!(await passwords.isMatch('correct horsf', kept)))
  assert.ok(!(await passwords.isMatch('', kept)))
  assert.notEqual(await passwords.hash('correct horse', CHEAP), kept)
})

test('a hash costs what OWASP asks for', async () => {
  const [, rounds, blocks, lanes] = (await passwords.hash('correct horse')).split('$').map(Number)
  assert.deepEqual([rounds, blocks, lanes], [32_768, 8, 3])
  assert.deepEqual(PASSWORD_COST, { rounds, blocks, lanes })
})

test('letters that look the same are the same, however they were typed', async () => {
  const kept = await passwords.hash('caf\u00e9 \ufb01ne', CHEAP)
  assert.ok(await passwords.isMatch('cafe\u0301 fine', kept))
})

test('a user who is not there costs as much as one who is', async () => {
  const kept = await passwords.hash('correct horse')
  const cpuMs = async (of: string | null): Promise<number> => {
    const before = process.cpuUsage()
    assert.ok(!(await passwords.isMatch('wrong', of)))
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

test('one is computed at a time, the others wait their turn, and too many are turned away', async () => {
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => passwords.hash('correct horse', CHEAP)),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 40 - 33)
  assert.equal((refused[0] as PromiseRejectedResult).reason.code, 'rate_limited')
  // The places are free again.
  await Promise.all(Array.from({ length: 33 }, () => passwords.hash('correct horse', CHEAP)))
})

test('who is known does not wait for strangers, nor for their number', async () => {
  const kept = await passwords.hash('correct horse', CHEAP)
  const order: string[] = []
  const note = (name: string) => (): number => order.push(name)
  const strangers = Array.from({ length: 40 }, () =>
    passwords.isMatch('wrong', kept).then(note('stranger'), note('turned away')),
  )
  const known = [
    passwords.isMatch('correct horse', kept, 'known').then(note('known')),
    passwords.hash('a new one', CHEAP).then(note('known')),
  ]
  await Promise.all([...strangers, ...known])
  assert.equal(order.filter((name) => name === 'turned away').length, 40 - 33)
  const served = order.filter((name) => name !== 'turned away')
  assert.ok(served.lastIndexOf('known') < 6, served.join())
})
