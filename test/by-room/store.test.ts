// The tests of src/store, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store')
