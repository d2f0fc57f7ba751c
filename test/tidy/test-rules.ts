// Whether `npm test` runs every test, and runs it once: by a pattern of its own, or with its room
// in one process. What has a long form is run by `npm run test:slow` as well.

import path from 'node:path'
import { isTest } from './checkout.ts'
import type { Checkout, CheckoutFile, Fault } from './checkout.ts'

const TOGETHER = /^runTogether\('(.+)'\)$/gm
const HAS_LONG_FORM = /^import \{.+\} from '.+\/long-form\.ts'$/m

export function checkTestsRun(checkout: Checkout): Fault[] {
  const countRuns = createCounter(checkout, readPatterns(checkout, 'test'))
  return checkout.filter(isTest).flatMap((file) => {
    const times = countRuns(file)
    return times === 1 ? [] : [`${file.path}: npm test runs it ${times} times (see test/by-room)`]
  })
}

export function checkLongForms(checkout: Checkout): Fault[] {
  const patterns = readPatterns(checkout, 'test:slow')
  const countRuns = createCounter(checkout, patterns)
  const tests = checkout.filter(isTest)
  return [
    ...tests.flatMap((file) => {
      const times = countRuns(file)
      if (times > 1) return [`${file.path}: npm run test:slow runs it ${times} times`]
      if (times === 1 || !HAS_LONG_FORM.test(file.text)) return []
      return [`${file.path}: has a long form, which npm run test:slow does not run`]
    }),
    ...patterns
      .filter((pattern) => !tests.some((file) => path.matchesGlob(file.path, pattern)))
      .map((pattern) => `package.json: no test of test:slow is ${pattern}`),
  ]
}

/** How often a file is run by a script that has these patterns. */
function createCounter(
  checkout: Checkout,
  patterns: readonly string[],
): (file: CheckoutFile) => number {
  const isMatched = ({ path: name }: CheckoutFile): boolean =>
    patterns.some((pattern) => path.matchesGlob(name, pattern))
  const folders = checkout
    .filter(isMatched)
    .flatMap(({ text }) => Array.from(text.matchAll(TOGETHER), ([, folder = '']) => `${folder}/`))
  return (file) =>
    Number(isMatched(file)) + folders.filter((folder) => file.path.startsWith(folder)).length
}

function readPatterns(checkout: Checkout, script: 'test' | 'test:slow'): string[] {
  const manifest = checkout.find(({ path: name }) => name === 'package.json')
  const { scripts } = JSON.parse(manifest?.text ?? '{}') as { scripts?: Record<string, string> }
  return Array.from(
    scripts?.[script]?.matchAll(/"([^"]+\.test\.ts)"/g) ?? [],
    ([, glob = '']) => glob,
  )
}
