import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { DeadLetter } from './dead-letters.ts'
import {
  countLetters,
  createDeadLetterFile,
  deadLetterFile,
  dropTakenLetters,
  readLetters,
  takenLetterFile,
  takeLetters,
} from './dead-letter-file.ts'

function createDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'weir-letters-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

function letter(sequence: number, text = '{"k":"?"}'): DeadLetter {
  return { at: 1, reason: 'a reason', worker: 'w0', sequence, text }
}

async function readAll(path: string): Promise<(DeadLetter | string)[]> {
  const letters: (DeadLetter | string)[] = []
  for await (const letter of readLetters(path)) letters.push(letter)
  return letters
}

test('letters are appended to a file that no other user can read', async (t) => {
  const dir = createDir(t)
  const letters = createDeadLetterFile(dir)
  await letters.append([])
  assert.equal(existsSync(deadLetterFile(dir)), false)
  await letters.append([letter(1), letter(2)])
  await letters.append([letter(3, 'odd "text"\n}')])
  const all = [letter(1), letter(2), letter(3, 'odd "text"\n}')]
  assert.deepEqual(await readAll(deadLetterFile(dir)), all)
  assert.equal(statSync(deadLetterFile(dir)).mode & 0o777, 0o600)
  assert.equal(await countLetters(dir), 3)
})

test('a letter is read whole, whatever line ends of other alphabets stand in it', async (t) => {
  const dir = createDir(t)
  const texts = ['a\u2028b', 'c\u2029"}', '\r\n', 'é'.repeat(100_000)]
  const all = texts.map((text, at) => letter(at, JSON.stringify({ text })))
  await createDeadLetterFile(dir).append(all)
  assert.deepEqual(await readAll(deadLetterFile(dir)), all)
})

test('a line that was torn is passed over and does not spoil the next one, a damaged one is kept', async (t) => {
  const dir = createDir(t)
  const whole = JSON.stringify(letter(1, '{"a":"b"}'))
  for (let cut = 0; cut < whole.length; cut += 1) {
    writeFileSync(deadLetterFile(dir), whole.slice(0, cut))
    await createDeadLetterFile(dir).append([letter(2)])
    assert.deepEqual(await readAll(deadLetterFile(dir)), [letter(2)], `cut at ${cut}`)
  }
  const damaged = whole.replace('"at"', '"ax"')
  writeFileSync(deadLetterFile(dir), `${damaged}\n`)
  assert.deepEqual(await readAll(deadLetterFile(dir)), [damaged])
})

test('a letter that is written while a replay takes the file away is written again', async (t) => {
  const dir = createDir(t)
  const letters = createDeadLetterFile(dir)
  await letters.append([letter(1)])
  const writing = letters.append([letter(2)])
  renameSync(deadLetterFile(dir), takenLetterFile(dir))
  await writing
  const found = await readAll(deadLetterFile(dir))
  assert.deepEqual(found, [letter(2)])
})

test('a disk that does not take a letter is reported with what to do', async (t) => {
  const dir = join(createDir(t), 'missing')
  await assert.rejects(createDeadLetterFile(dir).append([letter(1)]), {
    code: 'data_dir_unusable',
    message: /dead letters .* cannot be written/,
    hint: /Nothing is lost/,
  })
})

test('taking leaves room for new letters, and what an earlier replay left is taken first', async (t) => {
  const dir = createDir(t)
  assert.equal(await takeLetters(dir), false)
  const letters = createDeadLetterFile(dir)
  await letters.append([letter(1)])
  assert.equal(await takeLetters(dir), true)
  await letters.append([letter(2)])
  assert.equal(await takeLetters(dir), true)
  assert.deepEqual(await readAll(takenLetterFile(dir)), [letter(1)])
  assert.equal(await countLetters(dir), 2)
  await dropTakenLetters(dir)
  assert.deepEqual(await readAll(deadLetterFile(dir)), [letter(2)])
  assert.deepEqual(await readAll(takenLetterFile(dir)), [])
})

test('letters that came twice count once', async (t) => {
  const dir = createDir(t)
  await createDeadLetterFile(dir).append([letter(1), letter(1)])
  appendFileSync(takenLetterFile(dir), `${JSON.stringify(letter(1))}\n`)
  assert.equal(await countLetters(dir), 1)
  assert.equal(readFileSync(deadLetterFile(dir), 'utf8').split('\n').length, 3)
})

test('different lines that bear one number, in a journal that was started again, are two letters', async (t) => {
  const dir = createDir(t)
  await createDeadLetterFile(dir).append([letter(1, '{"k":"?"}'), letter(1, '{"k":"!"}')])
  assert.equal(await countLetters(dir), 2)
})
