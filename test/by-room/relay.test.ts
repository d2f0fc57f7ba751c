// The tests of test/relay, in one process.

import { runTogether } from './run-together.ts'

runTogether('test/relay')
