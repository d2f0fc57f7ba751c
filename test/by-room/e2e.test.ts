// The tests of the whole program, in one process.

import { runTogether } from './run-together.ts'

runTogether('test/e2e')
