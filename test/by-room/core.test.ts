// The tests of src/core, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/core')
