// The tests of usage on SQLite, also with the calls in ClickHouse, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store/usage/sqlite')
