// When the figures of a panel were read, shown on hover and on keyboard focus.

import { formatTime } from '../../data/format-time.ts'
import { ClockIcon } from '../../ui/icons.tsx'

export interface AsOfMarkProps {
  /** Undefined while they are loading. */
  readonly asOf: string | undefined
}

export function AsOfMark({ asOf }: AsOfMarkProps) {
  if (asOf === undefined) return null
  const text = `As of ${formatTime(asOf)}`
  return (
    <span className="as-of-mark" role="img" aria-label={text} tabIndex={0} data-as-of={asOf}>
      <ClockIcon size={15} />
      <span className="as-of-text">{text}</span>
    </span>
  )
}
