// Whether `npm test` runs every test, and runs it once: by a pattern of its own, or with its room
// in one process.

import path from 'node:path'
import { isTest } from './checkout.ts'
import type { Checkout, Fault } from './checkout.ts'

export function checkTestsRun(checkout: Checkout): Fault[] {
  const patterns = readPatterns(checkout)
  const folders = checkout
    .filter(({ path: name }) => patterns.some((pattern) => path.matchesGlob(name, pattern)))
    .flatMap(({ text }) => Array.from(text.matchAll(/^runTogether\('(.+)'\)$/gm), toFolder))
  return checkout.filter(isTest).flatMap(({ path: name }) => {
    const isMatched = patterns.some((pattern) => path.matchesGlob(name, pattern))
    const times = Number(isMatched) + folders.filter((folder) => name.startsWith(folder)).length
    return times === 1 ? [] : [`${name}: npm test runs it ${times} times (see test/by-room)`]
  })
}

const toFolder = ([, folder = '']: RegExpExecArray): string => `${folder}/`

function readPatterns(checkout: Checkout): string[] {
  const manifest = checkout.find(({ path: name }) => name === 'package.json')
  const { scripts } = JSON.parse(manifest?.text ?? '{}') as { scripts?: { test?: string } }
  return Array.from(scripts?.test?.matchAll(/"([^"]+\.test\.ts)"/g) ?? [], ([, glob = '']) => glob)
}
