// How much of a limit is used, on one scale everywhere: the track is the limit, so 88 % looks like
// 88 %. What is beyond the limit is a mark behind the track's end. It only repeats words beside it.

export interface MeterProps {
  readonly percent: number
  /** Where it is expected to end. */
  readonly expected?: number | null
  readonly tone: 'good' | 'warning' | 'bad'
}

const FULL = 100

export function Meter({ percent, expected = null, tone }: MeterProps) {
  const furthest = Math.max(percent, expected ?? 0)
  const width = (value: number) => ({ width: `${Math.min(value, FULL)}%` })
  return (
    <span className={`meter meter-${tone}`} aria-hidden="true">
      <span className="meter-track">
        {furthest > percent && (
          <span
            className={`meter-expected ${furthest > FULL ? '' : 'meter-end'}`}
            style={width(furthest)}
          />
        )}
        <span className="meter-used" style={width(percent)} />
      </span>
      {furthest > FULL && (
        <span className={percent > FULL ? 'meter-beyond' : 'meter-beyond meter-faint'} />
      )}
    </span>
  )
}
