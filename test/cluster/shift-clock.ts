// Loaded into every process of a node (`--import`): its wall clock is off by CLOCK_SHIFT_MS, as on
// a machine whose clock nobody sets. Durations are not touched.

const shiftMs = Number(process.env['CLOCK_SHIFT_MS'] ?? '0')
const RealDate = Date
const realNow = RealDate.now.bind(RealDate)

class ShiftedDate extends RealDate {
  constructor(...parts: [] | [number | string | Date]) {
    super(...((parts.length === 0 ? [realNow() + shiftMs] : parts) as [number]))
  }

  static override now(): number {
    return realNow() + shiftMs
  }
}

if (shiftMs !== 0) globalThis.Date = ShiftedDate as DateConstructor
