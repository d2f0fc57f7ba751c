// The tests of src/wire, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/wire')
