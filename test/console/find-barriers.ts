// What axe-core finds wrong with a page for people who cannot see it well, or use no pointer. To
// look takes longer than most of what a test does with a page: the short form looks at two.

import { readFileSync } from 'node:fs'

import type { AxeResults, RunOnly, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

import { isLongForm } from '../long-form.ts'

/** Rows of a table are alike, and looking at each of hundreds takes minutes. */
const FURTHER_ROWS = 'tbody tr:nth-child(n+4), ol > li:nth-child(n+4)'
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** A page reads it in half the time that the readable one takes. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Colours in transition from light to dark are neither. */
const SWITCH_AT_ONCE = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, ::before, ::after { transition: none !important }')
  document.adoptedStyleSheets.push(sheet)
}`

/** What people see first: figures with charts and lists, and a table with its form. */
const left = new Set(['/', '/keys'])
const leftInDark = new Set(['/'])

function isLookedAt(page: Page, places: Set<string>): boolean {
  return isLongForm || places.delete(new URL(page.url()).pathname)
}

/** `rule: selector`, one line for each place; empty without faults. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  if (!isLookedAt(page, left)) return []
  return analyze(page, { type: 'tag', values: TAGS })
}

/** Only what depends on colours, for a page whose markup was checked already. */
export function findFaintText(page: Page): Promise<readonly string[]> {
  return analyze(page, { type: 'rule', values: COLOUR_RULES })
}

/** The same in the dark. The page is light again afterwards. */
export async function findFaintTextInDark(page: Page): Promise<readonly string[]> {
  if (!isLookedAt(page, leftInDark)) return []
  await page.evaluate(SWITCH_AT_ONCE)
  await page.emulateMedia({ colorScheme: 'dark' })
  const faults = await findFaintText(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return faults
}

async function analyze(page: Page, runOnly: RunOnly): Promise<readonly string[]> {
  // Once for a document: it is half a megabyte.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  // Passes are not asked for: reporting them takes most of the time.
  const options: RunOptions = { runOnly, resultTypes: ['violations'] }
  const context = { exclude: [[FURTHER_ROWS]] }
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})
      .then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const [, why = ''] = failureSummary?.split('\n') ?? []
      return `${id}: ${target.join(' ')} (${why.trim()})`
    }),
  )
}
