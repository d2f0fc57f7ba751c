// The long form of the framing test: generated requests and responses against Node's own parser.
//   node scripts/fuzz.ts [--count 1000000] [--seed N]

import { parseArgs } from 'node:util'

import { compareFraming } from '../test/fuzz/compare-framing.ts'
import type { Comparison } from '../test/fuzz/compare-framing.ts'
import { compareResponses } from '../test/fuzz/compare-responses.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const count = Number(values.count)
console.log(`${count} sequences of requests and ${count} of responses from seed ${seed}`)
const options = { seed, count, progress: (done: number) => console.log(`  ${done}`) }

function report(what: string, { compared, refusedByWeir, disagreements }: Comparison): boolean {
  console.log(`${compared} ${what} compared, ${refusedByWeir} sequences refused`)
  for (const disagreement of disagreements) console.log(disagreement)
  return disagreements.length === 0
}

const areRequestsAlike = report('requests', await compareFraming(options))
const areResponsesAlike = report('responses', await compareResponses(options))
const areAlike = areRequestsAlike && areResponsesAlike
console.log(areAlike ? 'no disagreement' : 'DISAGREEMENTS')
process.exitCode = areAlike ? 0 : 1
