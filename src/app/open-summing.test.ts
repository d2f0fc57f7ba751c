import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'

import { sampleCall, storeCalls } from '../../test/fakes/stored-calls.ts'
import { listThreadPriorities } from '../../test/fakes/thread-priorities.ts'
import { parseUsageQuery } from '../api/parse-usage-query.ts'
import { writeUsage } from '../api/usage-query.ts'
import { systemClock } from '../core/clock.ts'
import { openUsageStore } from './backends.ts'
import { openSumming } from './open-summing.ts'

const skip = process.platform === 'linux' ? false : 'elsewhere usage is added up where it is asked'
const WAIT_MS = 100
const AGAIN_MS = 10_000
const UNTIL_MS_MAX = 30_000
const NOW_MS = Date.parse('2026-11-16T10:00:00Z')
const ENDED_AT = Date.parse('2026-10-15T12:00:00Z')
const BY_KEY = parseUsageQuery(
  new URLSearchParams('metric=cost_usd&dimension=api_key&window=month&month=2026-10'),
  NOW_MS,
)

async function openScene(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-summing-'))
  const calls = ['key_a', 'key_a', 'key_b'].map((keyId) => sampleCall({ endedAt: ENDED_AT, keyId }))
  await storeCalls(dataDir, calls)
  const usage = await openUsageStore({ dataDir, clock: systemClock })
  let here = 0
  let nowMs = 0
  const warned: string[] = []
  const summing = openSumming({
    dataDir,
    usage: {
      sum: (question) => {
        here += 1
        return usage.sum(question)
      },
    },
    clock: { now: () => nowMs, monotonic: () => nowMs },
    log: { warn: (message) => void warned.push(message) },
  })
  t.after(async () => {
    await summing.close()
    if (skip === false) assert.deepEqual(listChildren(), [])
    await usage.close()
    rmSync(dataDir, { recursive: true })
  })
  const expected = await writeUsage(BY_KEY, usage, NOW_MS)
  assert.match(expected, /key_a.*key_b/)
  /** Whether it was worked out here; the answer is what the store says in any case. */
  const askHere = async (): Promise<boolean> => {
    const before = here
    assert.equal(await summing.workOut(BY_KEY, NOW_MS), expected)
    return here > before
  }
  return {
    summing,
    warned,
    here: () => here,
    askHere,
    untilAskedThere: () => until(async () => !(await askHere())),
    passMs: (ms: number) => {
      nowMs += ms
    },
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + UNTIL_MS_MAX
  while (!(await isSo())) {
    assert.ok(performance.now() < giveUpAt, 'It never came to be.')
    await pause(5)
  }
}

function listChildren(): number[] {
  const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function findPid(): number {
  const children = listChildren()
  assert.equal(children.length, 1)
  return children[0] as number
}

test(
  'long queries go to a process all of which gives way, once it is there',
  { skip },
  async (t) => {
    const scene = await openScene(t)
    assert.equal(await scene.askHere(), true)
    await scene.untilAskedThere()
    assert.deepEqual(listThreadPriorities(findPid()), ['nice 0 policy 5'])
  },
)

test(
  'where it gets no core, who asks waits a moment, and the next not at all',
  { skip },
  async (t) => {
    const scene = await openScene(t)
    await scene.untilAskedThere()
    process.kill(findPid(), 'SIGSTOP')
    const before = scene.here()
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const asked = Promise.all([scene.askHere(), scene.askHere()])
    await setImmediate()
    t.mock.timers.tick(WAIT_MS - 1)
    await setImmediate()
    assert.equal(scene.here(), before)
    t.mock.timers.tick(1)
    assert.deepEqual(await asked, [true, true])
    assert.equal(await scene.askHere(), true)
    t.mock.timers.reset()
    process.kill(findPid(), 'SIGCONT')
    await scene.untilAskedThere()
  },
)

test('one that is killed costs nobody an answer, and is begun anew later', { skip }, async (t) => {
  const scene = await openScene(t)
  await scene.untilAskedThere()
  const pid = findPid()
  process.kill(pid, 'SIGSTOP')
  const asked = scene.askHere()
  process.kill(pid, 'SIGKILL')
  assert.equal(await asked, true)
  scene.passMs(AGAIN_MS - 1)
  assert.equal(await scene.askHere(), true)
  assert.deepEqual(listChildren(), [])
  scene.passMs(1)
  await scene.untilAskedThere()
  assert.notEqual(findPid(), pid)
  await scene.summing.close()
  assert.deepEqual(scene.warned, [
    'The process that adds up usage is gone (SIGKILL); until it is back the API does so.',
  ])
})

test('a query that cannot be answered has the error it always has', { skip }, async (t) => {
  const scene = await openScene(t)
  await scene.untilAskedThere()
  const query = { ...BY_KEY, month: 'October' }
  await assert.rejects(scene.summing.workOut(query, NOW_MS), { code: 'invalid_parameter' })
})

test('a query of few rows is worked out where it is asked', { skip }, async (t) => {
  const scene = await openScene(t)
  await scene.summing.workOut({ ...BY_KEY, dimension: 'provider' }, NOW_MS)
  assert.equal(scene.here(), 1)
  assert.deepEqual(listChildren(), [])
})

test('without the tool that sets the policy, all is worked out here', { skip }, async (t) => {
  const { PATH } = process.env
  t.after(() => (process.env['PATH'] = PATH))
  process.env['PATH'] = ''
  const scene = await openScene(t)
  await until(async () => {
    assert.equal(await scene.askHere(), true)
    return listChildren().length === 0
  })
  scene.passMs(AGAIN_MS)
  assert.equal(await scene.askHere(), true)
  assert.deepEqual(listChildren(), [])
  assert.deepEqual(scene.warned, [])
})
