// Prints how many test files run at once. Tests wait for processes, servers and pages more than
// they compute, so there are more of them than cores; those that start whole programs and a browser
// take about a gigabyte each. With --busy for long forms, which compute all the time: beside six
// others, a cluster or a package would take many times as long as alone.

import os from 'node:os'

const GIBIBYTE = 2 ** 30
const cores = os.availableParallelism()
const byCores = process.argv.includes('--busy') ? cores + 1 : 2 + 2 * cores
const byMemory = Math.floor(os.totalmem() / GIBIBYTE)

console.log(Math.max(2, Math.min(byCores, byMemory)))
