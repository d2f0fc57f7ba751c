// Labels with their values, each over a bar as long as its share of the largest.

export interface Share {
  readonly label: string
  readonly value: number
  /** The value as it is read. */
  readonly text: string
}

export interface ShareListProps {
  readonly shares: readonly Share[]
  /** Shown when there are none. */
  readonly empty: string
}

export function ShareList({ shares, empty }: ShareListProps) {
  if (shares.length === 0) return <p className="soft">{empty}</p>
  const largest = Math.max(...shares.map((share) => share.value))
  return (
    <ol className="shares">
      {shares.map((share) => (
        <li key={share.label}>
          <span className="share-label">{share.label}</span>
          <span className="share-value">{share.text}</span>
          <svg className="share-bar" aria-hidden="true">
            <rect className="share-track" width="100%" height="100%" rx="3" />
            <rect
              width={`${largest > 0 ? (share.value / largest) * 100 : 0}%`}
              height="100%"
              rx="3"
            />
          </svg>
        </li>
      ))}
    </ol>
  )
}
