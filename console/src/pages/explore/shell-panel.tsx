// Explore's question, for a program or a shell.

import { toCliLine, toCurlLine } from './explore-lines.ts'
import type { UsageQuestion } from '../../data/usage.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'

export function ShellPanel({ question }: { readonly question: UsageQuestion }) {
  return (
    <Panel
      heading="Ask the same from a shell"
      description={
        <>
          With an{' '}
          <TextLink href="/tokens" underline="always">
            access token
          </TextLink>{' '}
          in <code>WEIR_TOKEN</code>, or without one on Weir’s own machine.
        </>
      }
    >
      <div className="explore-lines">
        <CodeBlock label="curl" text={toCurlLine(window.location.origin, question)} />
        <CodeBlock label="weir usage" text={toCliLine(question)} />
      </div>
    </Panel>
  )
}
