// The tests of console/src, in one process.

import { runTogether } from './run-together.ts'

runTogether('console/src')
