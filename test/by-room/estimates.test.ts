// The tests of src/estimates, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/estimates')
