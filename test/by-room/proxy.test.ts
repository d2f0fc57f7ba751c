// The tests of src/proxy, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/proxy')
