// When a key or a token expires: a few spans to choose from, or a day. Must stay true: a day counts
// until it is over, in UTC.

export const EXPIRY_CHOICES = ['never', '7', '30', '90', '365', 'day'] as const
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number]

export const EXPIRY_NAMES: Readonly<Record<ExpiryChoice, string>> = {
  never: 'Never',
  '7': 'In 7 days',
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  day: 'On a date',
}

export interface Expiry {
  readonly choice: ExpiryChoice
  /** YYYY-MM-DD, with the choice `day`. */
  readonly day: string
}

const DAY_MS = 86_400_000

/** As the API takes it: null is never, undefined while no day is chosen. */
export function toExpiresAt({ choice, day }: Expiry, nowMs: number): string | null | undefined {
  if (choice === 'never') return null
  if (choice === 'day') return toDayEnd(day)
  return toSeconds(nowMs + Number(choice) * DAY_MS)
}

function toDayEnd(day: string): string | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
  return isDay ? `${day}T23:59:59Z` : undefined
}

/** To the second. */
function toSeconds(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`
}
