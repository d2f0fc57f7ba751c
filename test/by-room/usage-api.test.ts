// The tests of test/usage-api, in one process.

import { runTogether } from './run-together.ts'

runTogether('test/usage-api')
