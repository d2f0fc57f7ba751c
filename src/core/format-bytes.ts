// Sizes for people: `2.0 KiB`.

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const figure = bytes / 1024 ** power
  return `${power === 0 ? figure : figure.toFixed(1)} ${UNITS[power]}`
}
