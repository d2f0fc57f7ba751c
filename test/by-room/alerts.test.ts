// The tests of src/alerts, in one process.

import { runTogether } from './run-together.ts'

runTogether('src/alerts')
