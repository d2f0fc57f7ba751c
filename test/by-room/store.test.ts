// The tests of the small parts of src/store, in one process; the large ones have one each.

import { runTogether } from './run-together.ts'

runTogether('src/store/clickhouse')
runTogether('src/store/limits')
runTogether('src/store/nodes')
runTogether('src/store/postgres')
runTogether('src/store/settings')
runTogether('src/store/sqlite')
