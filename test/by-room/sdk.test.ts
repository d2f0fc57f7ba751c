// The tests of test/sdk, in one process.

import { runTogether } from './run-together.ts'

runTogether('test/sdk')
