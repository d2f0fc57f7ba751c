// For every address that is no screen.

import { Page } from '../ui/page.tsx'

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <h1>There is nothing here</h1>
      <p className="lead">
        This address is no page of the console. <a href="/">Go to the start</a>.
      </p>
    </Page>
  )
}
