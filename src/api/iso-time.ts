// Moments as the API writes them: ISO 8601, UTC.

export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function toIsoOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : toIso(timeMs)
}
