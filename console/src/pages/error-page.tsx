// A page that could not be shown: what happened, and a way back. One for inside the shell, one for
// outside it.

import { Button, Group } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Entrance } from '../ui/entrance.tsx'
import { Fault } from '../ui/fault.tsx'
import { Page } from '../ui/page.tsx'
import { useLink } from '../ui/link.tsx'

const TITLE = 'This page could not be shown'

export function ErrorPage(props: ErrorComponentProps): ReactElement {
  return (
    <Page title={TITLE}>
      <WayBack {...props} />
    </Page>
  )
}

export function EntranceErrorPage(props: ErrorComponentProps): ReactElement {
  return (
    <Entrance title={TITLE}>
      <WayBack {...props} />
    </Entrance>
  )
}

function WayBack({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <div>
      <Fault error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
      <Group mt="md">
        {/* A full load: what broke the page may be an old build of it. */}
        <Button component="a" href="/" variant="default">
          Go to Overview
        </Button>
      </Group>
    </div>
  )
}

/** An address without a page. */
export function NotFoundPage(): ReactElement {
  return (
    <Entrance title="Page not found" description="The address may be outdated or mistyped.">
      <Button component={useLink()} href="/">
        Go to Overview
      </Button>
    </Entrance>
  )
}
