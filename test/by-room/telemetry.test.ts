// The tests of src/telemetry, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/telemetry')
