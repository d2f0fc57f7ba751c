// The relay by itself in a process, with metering or without: everything but the reading of calls
// and the journal is the same in both, so that the difference between them is what metering costs.
// Weir has no such setting; its users run it as harness/weir.ts does.

import { createMeter } from '../../src/app/meter.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { JournalWriter } from '../../src/journal/journal.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { gateway } from '../../src/providers/gateway.ts'
import { unmeteredOperation } from '../../src/providers/shapes/unmetered-operation.ts'
import { openTestProxy } from '../../test/fakes/open-proxy.ts'
import type { TestProxy } from '../../test/fakes/open-proxy.ts'
import { answerParent } from '../../test/fakes/servers/child.ts'

export interface ToProxy {
  readonly upstreamPort: number
  readonly metering: 'on' | 'off' | 'first'
  /** For the journal. */
  readonly dir: string
}

export interface FromProxy {
  readonly port: number
  /** The value of X-SVC-API-Key. */
  readonly credential: string
  /** Lines that its journal took so far. */
  readonly journalLines: number
}

const NO_JOURNAL: JournalWriter = {
  append: (source, written) => {
    if (typeof source === 'function') source()
    written?.()
  },
  canOpen: () => true,
  fault: () => null,
  close: async () => {},
}
// An operation that is not known would be read, in case its answer has a usage.
const UNREAD = { ...gateway, operations: [unmeteredOperation({ name: 'unread', path: /^/ })] }

const meter = createMeter()
let proxy: TestProxy | null = null

async function openProxy({ upstreamPort, metering, dir }: ToProxy): Promise<TestProxy> {
  const { journal } = loadConfig({ env: { WEIR_DATA_DIR: dir }, cwd: dir })
  const options = {
    upstreams: { [gateway.id]: `http://127.0.0.1:${upstreamPort}` },
    connectionsMax: 1024,
    isLogging: false,
  }
  if (metering === 'off') {
    return openTestProxy({ ...options, providers: [UNREAD], journal: NO_JOURNAL })
  }
  return openTestProxy({
    ...options,
    providers: [gateway],
    journal: openJournalWriter({ dir, worker: 'w0', ...journal, meter }),
    recordsFirst: metering === 'first',
    estimate: (_, done) => done(null),
  })
}

answerParent(async (asked: ToProxy): Promise<FromProxy> => {
  proxy ??= await openProxy(asked)
  const lines = meter.samples().find((sample) => sample.metric === 'journalLines')
  return { port: proxy.port, credential: proxy.credential, journalLines: lines?.value ?? 0 }
})
process.once('SIGTERM', () => void proxy?.close().finally(() => process.exit(0)))
