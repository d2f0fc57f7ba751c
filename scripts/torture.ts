// The long form of the torture: the real program under load while its processes are killed at
// random.
//   node scripts/torture.ts [--kills 60] [--callers 16] [--seed N] [--record-first]

import { parseArgs } from 'node:util'

import { runTorture } from '../test/torture/torture.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    callers: { type: 'string', default: '16' },
    seed: { type: 'string' },
    'record-first': { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const kills = Number(values.kills)
console.log(`${kills} kills under ${values.callers} callers, from seed ${seed}`)
const say = (line: string): void => console.log(`  ${line}`)
const recordsFirst = values['record-first']
const callers = Number(values.callers)
const verdict = await runTorture({ seed, kills, callers, recordsFirst, say })
const { faults, ...figures } = verdict
console.log(JSON.stringify(figures, null, 2))
for (const fault of faults.slice(0, 50)) console.log(fault)
console.log(faults.length === 0 ? 'the record is whole' : `${faults.length} FAULTS`)
process.exitCode = faults.length === 0 ? 0 : 1
