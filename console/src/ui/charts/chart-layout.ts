// Where the bars and lines of a chart, its ticks and its labels are, from figures and a size in
// pixels. Must stay true: ticks are even, and no two labels of an axis touch.

const TICKS_WANTED = 4
const STEPS = [1, 2, 2.5, 5, 10] as const

/** Of counts there are no halves. */
export function toScale(largest: number, isWhole: boolean) {
  if (!(largest > 0)) return { ticks: [0], max: 1 }
  const rough = largest / TICKS_WANTED
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = STEPS.find((each) => each * power >= rough * (1 - 1e-9)) ?? 10
  const step = isWhole ? Math.max(Math.ceil(factor * power), 1) : factor * power
  const count = Math.max(Math.ceil((largest / step) * (1 - 1e-9)), 1)
  const ticks = Array.from({ length: count + 1 }, (_, place) => place * step)
  return { ticks, max: count * step }
}

const BAR_PX_MAX = 44
const BAR_SHARE = 0.74

/** Of the axes. */
const LEFT_PX = 58
const TOP_PX = 10
const BOTTOM_PX = 26

export interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/** Where the points are: each in the middle of its band. */
export function toFrame(count: number, { widthPx, heightPx }: Size) {
  const { bandPx, barPx } = toBands(count, Math.max(widthPx - LEFT_PX, 1))
  return {
    widthPx,
    heightPx,
    leftPx: LEFT_PX,
    topPx: TOP_PX,
    plotPx: heightPx - TOP_PX - BOTTOM_PX,
    bandPx,
    barPx,
    middleOf: (place: number) => LEFT_PX + (place + 0.5) * bandPx,
    /** Null beside the points. */
    placeOf: (xPx: number): number | null => {
      const place = Math.floor((xPx - LEFT_PX) / bandPx)
      return place >= 0 && place < count ? place : null
    },
  }
}

export type Frame = ReturnType<typeof toFrame>

export function toBands(count: number, widthPx: number) {
  const bandPx = count === 0 ? widthPx : widthPx / count
  return { bandPx, barPx: Math.max(Math.min(bandPx * BAR_SHARE, BAR_PX_MAX), 1) }
}

/** Of the font of an axis. */
const CHAR_PX = 6.6
const GAP_PX = 14

/** Which bars have a label: every one, every second …, as many as there is room for. */
export function toLabelStep(labels: readonly string[], bandPx: number): number {
  const longest = Math.max(...labels.map((label) => label.length), 0)
  return Math.max(Math.ceil((longest * CHAR_PX + GAP_PX) / Math.max(bandPx, 0.001)), 1)
}

/** Whether a label in the middle of its bar ends within the chart. */
export function fitsLabel(
  label: string,
  { middlePx, widthPx }: { readonly middlePx: number; readonly widthPx: number },
): boolean {
  return middlePx + (label.length * CHAR_PX) / 2 <= widthPx
}

export interface Segment {
  readonly id: string
  readonly value: number
  readonly yPx: number
  readonly heightPx: number
}

/** Bottom up, in the order of the series. What is not zero stays visible. */
export function toSegments(
  ids: readonly string[],
  values: Readonly<Record<string, number>>,
  { heightPx, max }: { readonly heightPx: number; readonly max: number },
): readonly Segment[] {
  let topPx = heightPx
  return ids.flatMap((id) => {
    const value = values[id] ?? 0
    if (!(value > 0)) return []
    const partPx = Math.max((value / max) * heightPx, 1)
    topPx = Math.max(topPx - partPx, 0)
    return [{ id, value, yPx: topPx, heightPx: partPx }]
  })
}

export interface Spot {
  readonly xPx: number
  readonly yPx: number
}

/** A line through the points of a series, with a gap where it has none; one alone is a dot. */
export function toPath(spots: readonly (Spot | null)[]): string {
  return spots
    .map((spot, place) => {
      if (spot === null) return ''
      const text = `${round(spot.xPx)} ${round(spot.yPx)}`
      if (place > 0 && spots[place - 1] !== null) return `L${text}`
      return (spots[place + 1] ?? null) === null ? `M${text}h0` : `M${text}`
    })
    .join('')
}

function round(px: number): number {
  return Math.round(px * 10) / 10
}
