// The tests of src/app, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/app')
