// What axe-core finds wrong with a page for people who cannot see it well, or use no pointer.

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Rows of a table are alike, and looking at each of hundreds takes minutes. */
const FURTHER_ROWS = 'tbody tr:nth-child(n+4), ol > li:nth-child(n+4)'
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/**
 * Colours in transition from light to dark are neither. They start one frame after the new scheme
 * is drawn.
 */
export const FINISH_GLIDES = `new Promise((done) => {
  const frames = (left) => {
    for (const glide of document.getAnimations()) glide.finish()
    if (left === 0) done()
    else requestAnimationFrame(() => frames(left - 1))
  }
  frames(4)
})`

/** Passes are not asked for: reporting them takes most of the time. */
const OPTIONS = { resultTypes: ['violations' as const] }

/** `rule: selector`, one line for each place; empty without faults. */
export function findBarriers(page: Page): Promise<readonly string[]> {
  return analyze(new AxeBuilder({ page }).options(OPTIONS).withTags(TAGS))
}

/** Only what depends on colours, for a page whose markup was checked already. */
export function findFaintText(page: Page): Promise<readonly string[]> {
  const rules = ['color-contrast', 'link-in-text-block']
  return analyze(new AxeBuilder({ page }).options(OPTIONS).withRules(rules))
}

async function analyze(builder: AxeBuilder): Promise<readonly string[]> {
  // There are no frames, so nothing needs a page beside this one.
  const { violations } = await builder.exclude(FURTHER_ROWS).setLegacyMode(true).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const [, why = ''] = failureSummary?.split('\n') ?? []
      return `${id}: ${target.join(' ')} (${why.trim()})`
    }),
  )
}
