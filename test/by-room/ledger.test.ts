// The tests of src/ledger, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/ledger')
