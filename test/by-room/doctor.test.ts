// The tests of src/doctor, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/doctor')
