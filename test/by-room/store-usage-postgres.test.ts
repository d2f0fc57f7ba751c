// The tests of usage on PostgreSQL, and of what all SQL has in common, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store/usage/postgres')
runTogether('src/store/usage/sql')
