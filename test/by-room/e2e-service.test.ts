// The tests of the whole program, a third of them in each process.

import { runTogether } from './run-together.ts'

runTogether('test/e2e/service')
