// The tests of src/journal, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/journal')
