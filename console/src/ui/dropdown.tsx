// A button and its menu of links and buttons. It is the browser's own popover, which lies above
// everything, closes by Escape or a press elsewhere, and returns the focus.

import { useId, useRef } from 'react'
import type { MouseEvent, ReactElement, ReactNode, ToggleEvent } from 'react'
import { CheckIcon } from './icons.tsx'
import type { Icon } from './icons.tsx'
import { useLink } from './link.tsx'

const GAP_PX = 6
/** With less room below the button it opens upwards. */
const ROOM_PX = 240

export interface DropdownProps {
  /** Renders the button; spread the given props on it. */
  readonly button: (opens: { readonly popoverTarget: string }) => ReactElement
  readonly children: ReactNode
}

export function Dropdown({ button, children }: DropdownProps): ReactElement {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  return (
    <div className="dropdown" ref={place}>
      {button({ popoverTarget: id })}
      <div
        id={id}
        className="dropdown-list"
        popover="auto"
        onBeforeToggle={({ currentTarget }) => putBeside(currentTarget, place.current)}
        onToggle={closeOnScroll}
      >
        {children}
      </div>
    </div>
  )
}

/** Its right edge at the button's. */
function putBeside(list: HTMLElement, place: HTMLElement | null): void {
  if (place === null) return
  const { top, right, bottom } = place.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const isUp = clientHeight - bottom < ROOM_PX && top > ROOM_PX
  list.style.right = `${clientWidth - right}px`
  list.style.top = isUp ? 'auto' : `${bottom + GAP_PX}px`
  list.style.bottom = isUp ? `${clientHeight - top + GAP_PX}px` : 'auto'
}

/** It does not move with the page. */
function closeOnScroll({ currentTarget: list, newState }: ToggleEvent<HTMLElement>): void {
  if (newState !== 'open') return
  window.addEventListener('scroll', () => list.hidePopover(), { once: true, capture: true })
}

export interface DropdownItemProps {
  readonly icon?: Icon
  /** A link to it; without it, a button. */
  readonly href?: string
  /** One of several of which one is selected. */
  readonly isChosen?: boolean
  readonly isDanger?: boolean
  readonly onClick?: () => void
  readonly children: ReactNode
}

export function DropdownItem(props: DropdownItemProps): ReactElement {
  const { icon: ItemIcon, href, isChosen, isDanger = false, onClick, children } = props
  const Link = useLink()
  const className = isDanger ? 'dropdown-item dropdown-danger' : 'dropdown-item'
  const choose = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onClick?.()
  }
  const content = (
    <>
      {ItemIcon !== undefined && <ItemIcon size={16} />}
      <span className="dropdown-text">{children}</span>
      {isChosen === true && <CheckIcon size={16} />}
    </>
  )
  if (href !== undefined) {
    return (
      <Link href={href} className={className} onClick={choose}>
        {content}
      </Link>
    )
  }
  return (
    <button type="button" className={className} aria-pressed={isChosen} onClick={choose}>
      {content}
    </button>
  )
}
