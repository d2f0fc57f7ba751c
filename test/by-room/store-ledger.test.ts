// The tests of src/store/ledger, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store/ledger')
