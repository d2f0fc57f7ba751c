// The entry of every process that the supervisor starts. It switches the compile cache on before the
// rest is loaded: that halves the time until a restarted process is back at work.

import { enableCompileCache } from 'node:module'

enableCompileCache()
await import('./run-role.ts')
