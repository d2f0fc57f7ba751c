// The tests of src/agents, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/agents')
