// What is wrong with how a page is laid out: text that is cut off without an ellipsis and a title,
// text that lies over its neighbour, a page that scrolls sideways, tables that do where there is
// room, and things that moved after they were drawn.

import type { BrowserContext, Page } from 'playwright-core'

/** Of the viewport, by the browser's own measure: what a person does not notice. */
const SHIFT_MAX = 0.02
const MOVE_PX_MAX = 8

/** Before the page's own scripts: the browser keeps no entries of what nobody watches. */
const WATCH = `{
  globalThis.layoutShifts = []
  const name = (node) => node?.nodeType === 1
    ? node.tagName.toLowerCase() + (node.className && node.className.baseVal === undefined ? '.' + node.className.split(' ')[0] : '')
    : node?.parentElement ? 'text of ' + node.parentElement.className : 'something gone'
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      const moved = sources.map(({ node, previousRect: from, currentRect: to }) => ({
        name: name(node) + ' from ' + Math.round(from.left) + ',' + Math.round(from.top) +
          ' to ' + Math.round(to.left) + ',' + Math.round(to.top),
        px: from.width * from.height * to.width * to.height === 0
          ? 0
          : Math.max(Math.abs(from.left - to.left), Math.abs(from.top - to.top)),
      }))
      globalThis.layoutShifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}`

interface Shift {
  readonly value: number
  readonly moved: readonly { readonly name: string; readonly px: number }[]
}

export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(WATCH)
}

const FIND_CUT = `(mayScroll) => {
  const SLACK_PX = 1.5
  const faults = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const isHidden = (element) =>
    element.closest('.unseen, svg, noscript, script, style, [hidden], option') !== null ||
    !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.trim()
    const parent = node.parentElement
    if (text === '' || isHidden(parent)) continue
    range.selectNodeContents(node)
    const { left, right, width } = range.getBoundingClientRect()
    if (width === 0) continue
    for (let box = parent; box !== document.body; box = box.parentElement) {
      const { overflowX, textOverflow, position } = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      const isOver = right > edge.right + SLACK_PX || left < edge.left - SLACK_PX
      const isCell = box.tagName === 'TD' || box.tagName === 'TH'
      const where = text.slice(0, 40) + ' in ' + box.tagName.toLowerCase() + '.' + box.className
      if (overflowX === 'auto' || overflowX === 'scroll') {
        if (isOver && !mayScroll) faults.add('scrolls: ' + where)
        break
      }
      if (isOver && overflowX !== 'visible') {
        box.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
        const isTold = box.closest('[title]') !== null || box.querySelector('[title]') !== null
        if (textOverflow !== 'ellipsis') faults.add('cut without an ellipsis: ' + where)
        else if (!isTold) faults.add('cut without a title: ' + where)
        break
      }
      if (isOver && isCell) faults.add('lies over its neighbour: ' + where)
      if (position === 'fixed') break
    }
  }
  return [...faults]
}`

export interface LayoutOptions {
  /** On a phone a table may, inside its frame. */
  readonly mayTablesScroll: boolean
}

/** One line each, the worst of a kind first; empty without faults. */
export async function findLayoutFaults(
  page: Page,
  { mayTablesScroll }: LayoutOptions,
): Promise<readonly string[]> {
  const width = page.viewportSize()?.width ?? 0
  const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth')
  const cut = await page.evaluate<string[]>(`(${FIND_CUT})(${mayTablesScroll})`)
  const shifts = await page.evaluate<Shift[]>('globalThis.layoutShifts')
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  const moved = shifts.flatMap((shift) => shift.moved).filter(({ px }) => px > MOVE_PX_MAX)
  return [
    ...(scrollWidth > width ? [`the page is ${scrollWidth} wide`] : []),
    ...cut,
    ...(sum >= SHIFT_MAX ? [`layout shift of ${sum.toFixed(3)}`] : []),
    ...moved.map(({ name, px }) => `${name} moved by ${Math.round(px)} px`),
  ]
}
