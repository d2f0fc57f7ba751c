// A message that the reader must not miss.

import type { ReactNode } from 'react'

export interface NoticeProps {
  readonly tone: 'error' | 'good'
  readonly children: ReactNode
}

export function Notice({ tone, children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
