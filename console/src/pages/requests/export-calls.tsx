// The calls that match the filters, all of them, as a file.

import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { DownloadIcon } from '../../ui/icons.tsx'
import { toCallFileHref } from './requests.ts'
import type { RequestFilter } from './requests.ts'

export interface ExportCallsProps {
  readonly filter: RequestFilter
  /** `1,204 calls, $18.42` */
  readonly text: string
}

export function ExportCalls({ filter, text }: ExportCallsProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<DownloadIcon size={14} />}
        onClick={() => setOpen(true)}
      >
        Export these calls
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Export these calls">
        <Text size="sm">{text}: all calls that match the filters, newest first.</Text>
        <Group mt="lg" gap="sm">
          <Button component="a" href={toCallFileHref('csv', filter)} download>
            CSV
          </Button>
          <Button component="a" variant="default" href={toCallFileHref('jsonl', filter)} download>
            JSON Lines
          </Button>
        </Group>
        <Text size="sm" c="dimmed" mt="sm">
          CSV opens in a spreadsheet; JSON Lines has one JSON object for each call.
        </Text>
      </Modal>
    </>
  )
}
