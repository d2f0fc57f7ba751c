// The Chromium of this machine, driven by playwright-core, which brings none of its own. Where
// there is none, the test that needs it says so by name.

import { accessSync, constants } from 'node:fs'
import path from 'node:path'

import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'] as const

/** For a test that is not run. */
export const NO_CHROMIUM =
  'needs Chromium: put one of its usual names on PATH, or its file into CHROMIUM_PATH'

/** Null where there is none. A CHROMIUM_PATH that leads nowhere is taken at its word, and fails. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH: named, PATH = '' } = process.env
  if (named !== undefined && named !== '') return named
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== '')
  const files = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return files.find((file) => canRun(file)) ?? null
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function openChromium(file: string): Promise<Browser> {
  return chromium.launch({
    executablePath: file,
    // Its sandbox refuses to run as root, as in most containers.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      // Else a long run fills a small /dev/shm.
      '--disable-dev-shm-usage',
      // Colours and edges of letters must not differ by screen.
      '--force-color-profile=srgb',
      '--disable-lcd-text',
      // A page of a test ends before its scripts are worth optimizing: that took a tenth to a third
      // of the renderer's work, most where pages are only loaded.
      '--js-flags=--no-opt,--no-maglev',
      // All pages of a browser's context in one process: else each that is opened has one of its
      // own, which takes as long to start as a page of the console to draw.
      '--process-per-site',
      '--renderer-process-limit=1',
      '--disable-gpu',
      '--num-raster-threads=1',
    ],
  })
}
