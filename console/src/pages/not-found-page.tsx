// An address that leads nowhere.

import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import { Entrance } from '../ui/entrance.tsx'
import { useLink } from '../ui/link.tsx'

export function NotFoundPage(): ReactElement {
  return (
    <Entrance title="There is no such page" description="The address may be old or mistyped.">
      <Button component={useLink()} href="/">
        Go to Overview
      </Button>
    </Entrance>
  )
}
