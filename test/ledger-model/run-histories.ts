// Plays random histories of journals and ledger and compares each with the model. The same seed
// plays the same ones.

import { createRandom } from '../fuzz/generate-requests.ts'
import type { Random } from './calls.ts'
import { RecordChecker } from './check-record.ts'
import { ModelScene } from './scene.ts'
import type { LedgerFault } from './scene.ts'
import type { ModelWorker } from './worker.ts'

export interface HistoriesOptions {
  readonly seed: number
  readonly histories: number
  readonly progress?: (done: number) => void
}

/** Played in one data directory, each from where the one before has left it. */
export const HISTORIES_PER_DIRECTORY = 20
/** Much of a history is waiting for files. */
const DIRECTORIES_AT_ONCE = 4
/** Sums and counts go on from history to history, so what is wrong once stays wrong. */
const SUMS_EVERY = 4
const STEPS_MAX = 18
const FAULTS: readonly LedgerFault[] = ['letter', 'before write', 'after write', 'acknowledge']

/**
 * Throws at the first history that the model does not agree with, with the seed that plays it
 * again.
 */
export async function runHistories({ seed, histories, progress }: HistoriesOptions): Promise<void> {
  const counts: number[] = []
  for (let left = histories; left > 0; left -= HISTORIES_PER_DIRECTORY) {
    counts.push(Math.min(HISTORIES_PER_DIRECTORY, left))
  }
  const directories = counts.entries()
  let done = 0
  const play = async (): Promise<void> => {
    for (const [directory, count] of directories) {
      await runDirectory(seed + directory, count)
      done += count
      progress?.(done)
    }
  }
  await Promise.all(Array.from({ length: DIRECTORIES_AT_ONCE }, play))
}

async function runDirectory(seed: number, histories: number): Promise<void> {
  const next = createRandom(seed)
  const random: Random = (below) => Math.floor(next() * below)
  const scene = await ModelScene.open(random)
  const checker = new RecordChecker(scene)
  try {
    for (let history = 1; history <= histories; history += 1) {
      try {
        await playHistory(scene, random)
        await checker.checkCalls()
        if (history % SUMS_EVERY === 0) await checker.checkSums()
        if (history < histories) continue
        await finish(scene, random)
        await checker.checkCalls()
        checker.requireSettled()
        await checker.checkSums()
      } catch (cause) {
        const command = `node scripts/ledger-model.ts --seed ${seed} --histories ${history}`
        throw new Error(`history ${history} of seed ${seed} went wrong; again: ${command}`, {
          cause,
        })
      }
    }
  } finally {
    await scene.close()
  }
}

async function playHistory(scene: ModelScene, random: Random): Promise<void> {
  const canDamage = random(4) === 0
  const steps = 1 + random(STEPS_MAX)
  for (let step = 0; step < steps; step += 1) await playStep(scene, random, canDamage)
  await scene.drain()
}

async function playStep(scene: ModelScene, random: Random, canDamage: boolean): Promise<void> {
  const { workers } = scene
  const worker = workers[random(workers.length)] as ModelWorker
  const dice = random(100)
  if (dice < 74) {
    if (worker.isAlive) await worker.act()
    else worker.begin()
  } else if (dice < 81) {
    if (worker.isAlive) await worker.kill()
  } else if (dice < 84) {
    if (worker.isAlive) await worker.end()
  } else if (dice < 88) {
    if (canDamage) scene.damage()
  } else if (dice < 90) {
    await scene.killLedger()
  } else if (dice < 91) {
    await scene.replay()
  } else {
    const fault = FAULTS[random(FAULTS.length * 3)] ?? null
    await scene.runLedger(fault)
    if (fault !== null && random(2) === 0) await scene.killLedger()
  }
}

/**
 * Every worker ends, one way or another; the next of its name finds what it left. Then all is read
 * and mended.
 */
async function finish(scene: ModelScene, random: Random): Promise<void> {
  for (const worker of scene.workers) {
    if (worker.isAlive && random(2) === 0) await worker.kill()
    if (worker.isSettled) continue
    if (!worker.isAlive) worker.begin()
    await worker.end()
  }
  await scene.drain()
  if (random(4) === 0) await scene.replay()
  scene.isMended = true
  await scene.replay()
}
