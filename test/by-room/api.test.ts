// The tests of src/api, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/api')
