// What the test files of one process share is closed when the last of them is done. Must stay true:
// `run-together.ts` loads this before any of them, so that the hook belongs to none.

import { after } from 'node:test'

const closes: (() => Promise<void>)[] = []

after(async () => {
  for (const close of closes.toReversed()) await close()
})

export function atEndOfProcess(close: () => Promise<void>): void {
  closes.push(close)
}
