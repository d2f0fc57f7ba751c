// The tests of src/backup, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/backup')
