// The tests of src/accounts, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/accounts')
