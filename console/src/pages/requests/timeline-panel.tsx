// Where the time of a call went, with Weir's own share separate from the provider's.

import type { ReactElement } from 'react'
import type { RequestDetail } from '../../../../src/api/contract.ts'
import { toTimeline } from './call-timeline.ts'
import type { PhaseId } from './call-timeline.ts'
import { formatShare } from '../../data/format-count.ts'
import { formatDuration } from '../../data/format-duration.ts'
import { formatTime } from '../../data/format-time.ts'
import { Panel } from '../../ui/panel.tsx'
import { SplitBar, SplitMark } from '../../ui/charts/split-bar.tsx'

const PHASES: Readonly<Record<PhaseId, { readonly name: string; readonly color: number }>> = {
  own: { name: 'Weir, before forwarding', color: 1 },
  waiting: { name: 'Waiting for the first byte', color: 2 },
  receiving: { name: 'Receiving the answer', color: 0 },
}

export function TimelinePanel({ call }: { readonly call: RequestDetail }): ReactElement {
  const { totalMs, phases } = toTimeline(call)
  return (
    <Panel
      heading="Time"
      description={`Arrived ${formatTime(call.started_at)} and took ${formatDuration(totalMs)}.`}
    >
      <SplitBar
        parts={phases.map(({ id, durationMs }) => {
          return { id, value: durationMs, color: PHASES[id].color }
        })}
      />
      <ol className="phases">
        {phases.map(({ id, startMs, durationMs, share }) => (
          <li key={id}>
            <span>
              <SplitMark color={PHASES[id].color} />
              {call.status === 'denied' ? 'Weir, until refused' : PHASES[id].name}
            </span>
            <span className="number quiet wide-only">after {formatDuration(startMs)}</span>
            <span className="number">{formatDuration(durationMs)}</span>
            <span className="number quiet">{formatShare(share)}</span>
          </li>
        ))}
        <li className="phases-end">
          <span>Ended</span>
          <span className="number quiet wide-only">{formatTime(call.ended_at)}</span>
          <span className="number">{formatDuration(totalMs)}</span>
          <span />
        </li>
      </ol>
      {call.own_ms === null && call.status !== 'denied' && (
        <p className="quiet">Weir’s own share is not known for this call.</p>
      )}
    </Panel>
  )
}
