// A placeholder for a panel that is loading.

import { Skeleton } from '@mantine/core'
import type { ReactElement } from 'react'
import { Panel } from '../../ui/panel.tsx'

export function WaitingPanel(): ReactElement {
  return (
    <Panel>
      <Skeleton h={20} w="30%" />
      <Skeleton h={120} mt="md" />
    </Panel>
  )
}
