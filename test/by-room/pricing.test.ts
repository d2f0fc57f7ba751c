// The tests of src/pricing, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/pricing')
