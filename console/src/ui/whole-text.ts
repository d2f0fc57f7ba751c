// Text that ends in an ellipsis is shown whole: as a title where it is pointed at, and wrapped
// while it, or the row that it is in, has the focus of the keyboard. What is cut off is found here,
// so that nothing that is drawn needs to say it.

const LEVELS_MAX = 4
/** Titles that were set here, and may be out of date. */
const titled = new WeakSet<Element>()

export function showWholeTexts(page: Document): void {
  page.addEventListener('mouseover', ({ target }) => {
    let element = target instanceof HTMLElement ? target : null
    for (let level = 0; element !== null && level < LEVELS_MAX; level += 1) {
      if (isCut(element)) addTitle(element)
      element = element.parentElement
    }
  })
  page.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(':focus-visible')) return
    const cut = [...(target.closest('tr') ?? target).querySelectorAll<HTMLElement>('*')].filter(
      isCut,
    )
    for (const element of cut) element.classList.add('whole')
    const end = (): void => {
      for (const element of cut) element.classList.remove('whole')
    }
    target.addEventListener('blur', end, { once: true })
  })
}

function addTitle(element: HTMLElement): void {
  if (element.closest('[title]') !== null && !titled.has(element)) return
  titled.add(element)
  element.title = element.innerText
}

function isCut(element: HTMLElement): boolean {
  if (element.scrollWidth <= element.clientWidth) return false
  return getComputedStyle(element).textOverflow === 'ellipsis'
}
