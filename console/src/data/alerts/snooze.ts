// For how long unusual spend can be hidden: a few spans to choose from.

export const SNOOZE_CHOICES = [
  { label: 'For 4 hours', hours: 4 },
  { label: 'For a day', hours: 24 },
  { label: 'For 3 days', hours: 72 },
  { label: 'For a week', hours: 168 },
] as const

const HOUR_MS = 3_600_000

/** As the API takes it, to the second. */
export function toSnoozeEnd(hours: number, nowMs: number): string {
  return `${new Date(nowMs + hours * HOUR_MS).toISOString().slice(0, 19)}Z`
}
