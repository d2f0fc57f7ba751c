// The tests of calls in ClickHouse with their sums in PostgreSQL, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store/usage/clickhouse')
