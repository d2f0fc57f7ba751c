// An address without a page.

import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import { Entrance } from '../ui/entrance.tsx'
import { useLink } from '../ui/link.tsx'

export function NotFoundPage(): ReactElement {
  return (
    <Entrance title="Page not found" description="The address may be outdated or mistyped.">
      <Button component={useLink()} href="/">
        Go to Overview
      </Button>
    </Entrance>
  )
}
