// A time as people write it, in ISO 8601. Must stay true: the machine's time zone has no effect.

const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?([Zz]|[+-]\d\d:\d\d)?)?$/

/** Milliseconds since the epoch: UTC without a zone; a date alone is midnight. Null if invalid. */
export function parseMoment(text: string): number | null {
  const match = MOMENT.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number]
  if (hour > 23 || minute > 59 || second > 59) return null
  const dateMs = Date.UTC(year, month - 1, day)
  // Date.UTC turns February 30 into March 2; such a date is a mistake to report.
  const date = new Date(dateMs)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const offsetMs = parseOffset(match[8])
  if (offsetMs === null) return null
  const timeMs =
    ((hour * 60 + minute) * 60 + second) * 1000 + Number((match[7] ?? '').padEnd(3, '0'))
  return dateMs + timeMs - offsetMs
}

function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4, 6))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
