// Above the log: how many calls match the filters, and what they cost together.

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { ExportCalls } from './export-dialog.tsx'
import { requestSummaryQuery } from './requests.ts'
import type { RequestFilter } from './requests.ts'
import { toSummaryWords } from './summary-words.ts'

export interface RequestSummaryProps {
  readonly filter: RequestFilter
  /** Where the list begins; undefined while it is read. */
  readonly from: string | null | undefined
  readonly isLive: boolean
}

export function RequestSummary({ filter, from, isLive }: RequestSummaryProps): ReactElement | null {
  const { data, isPlaceholderData, error } = useQuery({
    ...requestSummaryQuery(filter, { from: from ?? null, isLive }),
    enabled: from !== undefined,
  })
  // The list says what is wrong.
  if (data === undefined && error !== null) return null
  if (data === undefined) {
    return (
      <div className="call-summary">
        <Skeleton h={18} w={180} />
      </div>
    )
  }
  const { text, note } = toSummaryWords(data)
  return (
    <div className={isPlaceholderData ? 'call-summary call-log-old' : 'call-summary'}>
      <p role="status">
        <strong>{text}</strong>
        {note !== '' && <span className="quiet"> {note}</span>}
      </p>
      {data.calls > 0 && <ExportCalls filter={filter} text={text} />}
    </div>
  )
}
