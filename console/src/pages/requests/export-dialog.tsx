// Calls as a file: those of a month, for a spreadsheet or for finance, and those of the filters.

import { Button, Group, Modal, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { toPath } from '../../data/api-client.ts'
import { formatMonth } from '../../data/format-time.ts'
import { toRepricedText, useRepriced } from '../../data/repriced.ts'
import { toExportMonths } from './request-range.ts'
import { serviceQuery } from '../../data/service.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { RepricedNote } from '../../ui/charts/stat.tsx'
import { toCallFileHref } from './requests.ts'
import type { RequestFilter } from './requests.ts'

const RETENTION_DAYS_DEFAULT = 400

export function ExportDialog(): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<DownloadIcon size={16} />}
        onClick={() => setOpen(true)}
      >
        Export a month
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Export a month">
        <ExportForm />
      </Modal>
    </>
  )
}

function ExportForm() {
  const { data } = useQuery(serviceQuery)
  const months = toExportMonths(Date.now(), data?.data.retention_days ?? RETENTION_DAYS_DEFAULT)
  const [month, setMonth] = useState(months[0] ?? '')
  const repriced = useRepriced(month)
  return (
    <>
      <Select
        label="Month (UTC)"
        description="Every call that ended in it, regardless of the filters."
        data={months.map((value) => ({ value, label: formatMonth(`${value}-01`) }))}
        value={month}
        allowDeselect={false}
        onChange={(value) => value !== null && setMonth(value)}
      />
      <RepricedNote text={repriced && `${toRepricedText(repriced)}.`} />
      <Group mt="lg" gap="sm">
        <Button component="a" href={toPath('/v1/exports/usage.csv', { month })} download>
          Calls (CSV)
        </Button>
        <Button
          component="a"
          variant="default"
          href={toPath('/v1/exports/focus.csv', { month })}
          download
        >
          FOCUS for finance (CSV)
        </Button>
        <Button
          component="a"
          variant="default"
          href={toPath('/v1/exports/focus.csv', { month, granularity: 'daily' })}
          download
        >
          FOCUS by day (CSV)
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        FOCUS is the common format for cloud bills, which finance tools can read: with a row for
        each call, or with daily sums by key, model and dimensions.
      </Text>
    </>
  )
}

export interface ExportCallsProps {
  readonly filter: RequestFilter
  /** `1,204 calls, $18.42` */
  readonly text: string
}

/** The calls that match the filters, all of them. */
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
