// Prints how many test files run at once. Tests wait for processes, servers and pages more than
// they compute, so there are more of them than cores; those that start whole programs and a browser
// take about a gigabyte each.

import os from 'node:os'

const GIBIBYTE = 2 ** 30
const byCores = 2 + 2 * os.availableParallelism()
const byMemory = Math.floor(os.totalmem() / GIBIBYTE)

console.log(Math.max(2, Math.min(byCores, byMemory)))
