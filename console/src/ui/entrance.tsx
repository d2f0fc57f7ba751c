// The frame of the screens before sign-in: one card in the middle. It has the one h1, and names the
// tab.

import { Box, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { BrandMark } from './icons.tsx'

export interface EntranceProps {
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
}

export function Entrance({ title, description, children }: EntranceProps) {
  return (
    <main className="entrance">
      <title>{`${title} · Weir`}</title>
      <Paper className="panel entrance-card">
        <div className="brand">
          <BrandMark size={30} />
          Weir
        </div>
        <Title order={1} mt="lg">
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" mt={4}>
            {description}
          </Text>
        )}
        <Box mt="lg">{children}</Box>
      </Paper>
    </main>
  )
}
