// The long form of the ledger's model test: random histories of journals and ledger against a
// simple model.
//   node scripts/ledger-model.ts [--histories 100000] [--seed N]

import { parseArgs } from 'node:util'

import { runHistories } from '../test/ledger-model/run-histories.ts'

const { values } = parseArgs({
  options: { histories: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const histories = Number(values.histories)
const PROGRESS_EVERY = 1000
console.log(`${histories} histories from seed ${seed}`)
await runHistories({
  seed,
  histories,
  progress: (done) => {
    if (done % PROGRESS_EVERY === 0) console.log(`  ${done}`)
  },
})
console.log('the model agrees with all of them')
