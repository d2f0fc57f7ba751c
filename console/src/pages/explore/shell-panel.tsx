// Explore's question, for a program or a shell.

import { Stack } from '@mantine/core'
import type { AnalysisQuestion } from '../../data/analysis/analysis.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toCatalogueQuestion } from './catalogue-question.ts'
import { toAnalysisLines, toUsageLines } from './explore-lines.ts'
import type { ExploreSearch } from './explore-search.ts'

export interface ShellPanelProps {
  readonly search: ExploreSearch
  readonly question: AnalysisQuestion
}

export function ShellPanel({ search, question }: ShellPanelProps) {
  const { origin } = window.location
  const known = toCatalogueQuestion(search, question)
  const lines = known === null ? toAnalysisLines(origin, question) : toUsageLines(origin, known)
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
      <Stack gap="sm">
        <CodeBlock label="curl" text={lines.curl} />
        <CodeBlock label={lines.command} text={lines.cli} />
      </Stack>
    </Panel>
  )
}
