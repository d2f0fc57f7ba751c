// The ClickHouse of a run.

import { serveRun } from '../servers/shared-server.ts'
import { openClickhouseServer } from './clickhouse-server.ts'

await serveRun((folder) => openClickhouseServer({ folder }))
