// Times for the eye, always in UTC, as the figures' days and months are.

const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

/** `15 Mar 2026, 12:00:05 UTC` */
export function formatTime(iso: string): string {
  return `${TIME.format(new Date(iso))} UTC`
}
