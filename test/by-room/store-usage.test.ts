// The tests of src/store/usage, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/store/usage')
