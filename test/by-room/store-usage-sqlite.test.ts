// The tests of usage on SQLite, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store/usage/sqlite')
