// Where what has no place on a page is told: that something was done. Its code is fetched when somebody first does
// something, for the first page has nothing to tell.

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
