// The frame of every screen.

import type { ReactNode } from 'react'

export interface PageProps {
  readonly title: string
  /** Stands at the right end of the bar; the version, say. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, aside, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Weir`}</title>
      <header className="bar">
        <a className="bar-name" href="/">
          <img src="/favicon.svg" alt="" width="28" height="28" />
          Weir
        </a>
        <span className="bar-aside">{aside}</span>
      </header>
      <main>{children}</main>
    </>
  )
}
