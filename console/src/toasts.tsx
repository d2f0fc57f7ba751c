// Short messages that an action is done. Their code is loaded when a user first changes something,
// since the first page has none to show.

import { useIsMutating } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ReactElement } from 'react'

const Notifications = lazy(async () => ({
  default: (await import('./ui/notifications.tsx')).Notifications,
}))

export function Toasts(): ReactElement | null {
  const isChanging = useIsMutating() > 0
  const [isWanted, setWanted] = useState(false)
  if (isChanging && !isWanted) setWanted(true)
  if (!isWanted) return null
  return (
    <Suspense>
      <Notifications position="bottom-right" />
    </Suspense>
  )
}
