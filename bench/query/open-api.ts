// A `weir api` over filled servers, and who asks it.

import { openProgram } from '../../test/fakes/program.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { createPurse, openAsker } from './asker.ts'
import type { Asker } from './asker.ts'
import { createTokens } from './filled-store.ts'
import type { FilledServers } from './postgres-store.ts'
import type { MeasuredProcess } from './process-micros.ts'

export interface MeasuredApi {
  /** To be asked at once: the API ends a connection on which nothing comes. */
  readonly openAsker: () => Promise<Asker>
  readonly port: number
  /** One that the asker does not use. */
  readonly token: string
  readonly process: MeasuredProcess
}

export async function openApi(
  open: OpenItems,
  { url, callsUrl }: FilledServers,
  tokenCount: number,
): Promise<MeasuredApi> {
  const settings = {
    SETTINGS_URL: url,
    ...(callsUrl === null ? {} : { USAGE_URL: callsUrl }),
    // Calls older than its default would be removed beside the measurements.
    RETENTION_EVENTS: '36500',
  }
  const program = open.add(await openProgram({ command: 'api', settings }))
  const place = { dataDir: program.dataDir, url }
  const [token = '', ...tokens] = await createTokens(place, tokenCount + 1)
  const [pid] = program.pids('api')
  if (pid === undefined) throw new Error('The API is not running.')
  const port = Number(new URL(program.addresses.api).port)
  const purse = createPurse(tokens)
  return {
    openAsker: async () => open.add(await openAsker(port, purse)),
    port,
    token,
    process: { name: 'API', pid },
  }
}
