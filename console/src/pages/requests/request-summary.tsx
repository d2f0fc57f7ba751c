// Above the log: how many calls match the filters, and what they cost together.

import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Figure } from '../../ui/figure.tsx'
import { ExportCalls } from './export-dialog.tsx'
import type { Moments } from './request-range.ts'
import { requestSummaryQuery } from './requests.ts'
import type { RequestFilter } from './requests.ts'
import { toSummaryWords } from './summary-words.ts'

export interface RequestSummaryProps {
  readonly filter: RequestFilter
  /** Where the list begins; undefined while it is read. */
  readonly moments: Moments | undefined
  readonly isLive: boolean
}

export function RequestSummary({
  filter,
  moments,
  isLive,
}: RequestSummaryProps): ReactElement | null {
  const { data, isPlaceholderData, error } = useQuery({
    ...requestSummaryQuery(filter, { moments: moments ?? null, isLive }),
    enabled: moments !== undefined,
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
        <strong>
          <Figure text={text} />
        </strong>
        {note !== '' && <span className="quiet"> {note}</span>}
      </p>
      {data.calls > 0 && <ExportCalls filter={filter} text={text} />}
    </div>
  )
}
