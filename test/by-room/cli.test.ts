// The tests of src/cli, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/cli')
