// The tests of src/policy, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/policy')
