// The tests of src/limits, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/limits')
