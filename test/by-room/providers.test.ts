// The tests of src/providers, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/providers')
