// The real program under mixed load for an hour, a tenth of it hostile. Ends with 1 unless memory
// is flat after the first sixth, honest callers' p99 is at most 3 times that of the calm minutes,
// and nothing was lost.
//   node scripts/soak.ts [--minutes 60] [--calm-minutes 3] [--rate 90]

import { parseArgs } from 'node:util'

import { percentile, runSoak } from '../test/soak/soak.ts'

const P99_RATIO_MAX = 3
/** Of the second half against the first, once the first sixth is over. */
const MEMORY_RATIO_MAX = 1.1

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'calm-minutes': { type: 'string', default: '3' },
    rate: { type: 'string', default: '90' },
  },
})
const perSecond = Number(values.rate)
const mixedSeconds = Number(values.minutes) * 60
const calmSeconds = Number(values['calm-minutes']) * 60
console.log(`${values.minutes} minutes, ${perSecond} honest calls a second`)
const say = (line: string): void => console.log(`  ${line}`)
const verdict = await runSoak({ calmSeconds, mixedSeconds, perSecond, sampleSeconds: 30, say })
const calm = verdict.samples.filter(({ isCalm }) => isCalm)
const mixed = verdict.samples.filter(({ isCalm }) => !isCalm)
const timesOf = (samples: typeof calm): number[] => samples.flatMap(({ times }) => times)
const [calmP99, mixedP99] = [percentile(timesOf(calm), 0.99), percentile(timesOf(mixed), 0.99)]
const warm = mixed.slice(Math.floor(mixed.length / 6)).map(({ bytes }) => bytes)
const half = Math.floor(warm.length / 2)
const [before, after] = [median(warm.slice(0, half)), median(warm.slice(half))]
const faults = [
  ...verdict.faults,
  ...(verdict.restarts === 0 ? [] : [`${verdict.restarts} processes ended`]),
  ...(mixedP99 <= calmP99 * P99_RATIO_MAX ? [] : ['honest callers waited too long']),
  ...(after <= before * MEMORY_RATIO_MAX ? [] : ['memory is not flat']),
]
const { samples: _samples, faults: _faults, ...figures } = verdict
console.log(JSON.stringify(figures, null, 2))
console.log(`p99 ${calmP99.toFixed(2)} ms calm, ${mixedP99.toFixed(2)} ms mixed`)
console.log(`memory ${toMib(before)} MiB, then ${toMib(after)} MiB`)
for (const fault of faults) console.log(fault)
console.log(
  faults.length === 0 ? 'the hostile calls made no difference' : `${faults.length} FAULTS`,
)
process.exitCode = faults.length === 0 ? 0 : 1

function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5)
}

function toMib(bytes: number): number {
  return Math.round(bytes / 1_048_576)
}
