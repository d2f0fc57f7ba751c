// The series of every call, looked up once per worker: doing so on each call shows in the profile.

import type { CallStatus } from '../core/usage-event.ts'
import type { HistogramSeries, Meter, Series } from '../core/telemetry.ts'

export interface CallSeries {
  readonly openCalls: Series
  readonly openStreams: Series
  readonly addedTime: HistogramSeries
  /** From the request's sending to the answer's first byte. */
  firstByte(provider: string): HistogramSeries
  /** `httpStatus` is null when no answer came. */
  ended(provider: string, status: CallStatus, httpStatus: number | null): Series
}

export function createCallSeries(meter: Meter): CallSeries {
  const firstBytes = new Map<string, HistogramSeries>()
  const ends = new Map<string, Map<string, Series>[]>()
  return {
    openCalls: meter.counter('openCalls'),
    openStreams: meter.counter('openStreams'),
    addedTime: meter.histogram('addedTime'),
    firstByte(provider) {
      let series = firstBytes.get(provider)
      if (series === undefined) {
        series = meter.histogram('firstByte', provider)
        firstBytes.set(provider, series)
      }
      return series
    },
    ended(provider, status, httpStatus) {
      const hundreds = httpStatus === null ? 0 : Math.floor(httpStatus / 100)
      let classes = ends.get(provider)
      if (classes === undefined) ends.set(provider, (classes = []))
      const statuses = (classes[hundreds] ??= new Map())
      let series = statuses.get(status)
      if (series === undefined) {
        series = meter.counter('requests', provider, status, toClass(hundreds))
        statuses.set(status, series)
      }
      return series
    },
  }
}

function toClass(hundreds: number): string {
  return hundreds === 0 ? 'none' : `${hundreds}xx`
}
