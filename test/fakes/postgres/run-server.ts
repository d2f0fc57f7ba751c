// The PostgreSQL of a run. Its argument is the folder of its programs.

import { serveRun } from '../servers/shared-server.ts'
import { openPostgresServer } from './postgres-server.ts'

await serveRun((folder, [bin = '']) => openPostgresServer({ bin, folder }))
