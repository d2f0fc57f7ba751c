// The tests of src/config, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/config')
