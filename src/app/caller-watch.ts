// Whether anybody calls, from what the workers count. Nobody has to give way to callers who are not there.

import type { Clock } from '../core/clock.ts'
import type { MetricSample } from './meter.ts'

/** Workers tell their counts every half second; somebody who calls now and then is to be there all the while. */
export const QUIET_MS = 5000

export type CallerWatch = (samples: readonly MetricSample[]) => boolean

/** To be told all workers' figures each time they come. At the start somebody is there: it is not known otherwise. */
export function createCallerWatch(clock: Pick<Clock, 'monotonic'>): CallerWatch {
  let ended = 0
  let heardAt = clock.monotonic()
  return (samples) => {
    const before = ended
    ended = sumOf(samples, 'requests')
    if (ended !== before || sumOf(samples, 'openCalls') > 0) heardAt = clock.monotonic()
    return clock.monotonic() - heardAt < QUIET_MS
  }
}

function sumOf(samples: readonly MetricSample[], name: MetricSample['metric']): number {
  return samples.reduce((sum, { metric, value }) => (metric === name ? sum + value : sum), 0)
}
