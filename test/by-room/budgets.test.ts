// The tests of budgets in the whole program, in one process.

import { runTogether } from './run-together.ts'

runTogether('test/budgets')
