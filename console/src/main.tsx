// Starts the console: the look, the cache, the routes.

import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './data/query-client.ts'
import { readNonce } from './read-nonce.ts'
import { createConsoleRouter } from './routes.tsx'
import { Toasts } from './toasts.tsx'
import { showWholeTexts } from './ui/whole-text.ts'
import { resolveCssVariables, theme } from './ui/theme.ts'
import './ui/styles.ts'

/** Longer, and the page is drawn in another one until it comes. */
const TYPEFACE_MS_MAX = 300

const nonce = readNonce()
showWholeTexts(document)
const queryClient = createQueryClient(() => {
  const to = router.state.location.href
  void router.navigate({ to: '/sign-in', search: { to, error: 'ended' } })
})
const router = createConsoleRouter(queryClient)

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no element with the id root')
const root = createRoot(place)
// Rendered once, with the page's first answers in it, in its typeface. Not awaited here: lazy pages
// import this file's chunk, and would wait for it while it waits for them.
void Promise.all([router.load(), waitForTypeface()]).then(draw, draw)

/** It is asked for before this script, and is there as a rule. */
function waitForTypeface(): Promise<unknown> {
  const limit = new Promise((resolve) => {
    setTimeout(resolve, TYPEFACE_MS_MAX)
  })
  return Promise.race([document.fonts.load("1em 'Inter Variable'"), limit])
}

function draw(): void {
  root.render(<Console />)
}

function Console() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveCssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  )
}
