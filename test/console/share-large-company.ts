// The program of a large company, for all tests that look at its pages: starting it takes longer
// than most of them.

import { atEndOfProcess } from '../by-room/end-of-process.ts'
import { openConsoleScene } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import type { Company } from './seed-company.ts'
import { seedLargeCompany } from './seed-large-company.ts'

interface LargeScene {
  readonly scene: ConsoleScene
  readonly company: Company
}

let opening: Promise<LargeScene> | null = null

export function shareLargeCompany(chromium: string): Promise<LargeScene> {
  return (opening ??= open(chromium))
}

async function open(chromium: string): Promise<LargeScene> {
  let company = null as Company | null
  const prepare = async (dataDir: string): Promise<void> => {
    company = await seedLargeCompany(dataDir)
  }
  const scene = await openConsoleScene({ after: atEndOfProcess }, { chromium, prepare })
  return { scene, company: company as Company }
}
