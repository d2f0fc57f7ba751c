// The job of a proxy worker. What is opened here is closed in reverse.

import type { SlugOf } from '../core/budget-index.ts'
import { Agents } from '../agents/agents.ts'
import { parseDimPlaces } from '../core/dims.ts'
import { claimSlot } from '../journal/slots.ts'
import { openJournalWriter } from '../journal/writer.ts'
import { toSlug } from '../providers/provider.ts'
import { Estimates } from '../estimates/estimates.ts'
import { Limiter } from '../limits/limiter.ts'
import { RefusalQuota } from '../limits/refusal-quota.ts'
import type { LimitConnection } from '../limits/limit-messages.ts'
import { createBodyDims } from '../proxy/body-dims.ts'
import { listen } from '../proxy/listen.ts'
import type { ProxyServices } from '../proxy/services.ts'
import { openDeadlines } from '../proxy/deadlines.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { createEstimator } from '../estimates/estimator.ts'
import { openApiRelay } from './api-relay.ts'
import type { Addresses } from './messages.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { createRoutes } from './routes.ts'
import type { Routes } from './routes.ts'
import { openWorkerKeys } from './keys/worker-keys.ts'
import type { Config } from '../config/config.ts'
import { openProviderCredentials } from '../config/provider-credentials.ts'
import { isShared } from '../config/store-locations.ts'
import { findTraceParent } from '../wire/http/trace-parent.ts'

export interface ProxyRoleOptions extends RoleOptions {
  readonly fd: number
  readonly addresses: Addresses
  readonly limitConnection: LimitConnection
}

export async function runProxyRole(options: ProxyRoleOptions): Promise<RunningRole> {
  const { config, clock, meter, log, warn, limitConnection: connection } = options
  const { proxy: tls, authorities } = options.tls
  const credentials = openProviderCredentials(config, { warn, meter })
  const keys = await openWorkerKeys(options)
  const dir = journalDir(config.dataDir)
  const slot = claimSlot(dir)
  const journal = openJournalWriter({ dir, worker: slot.worker, ...config.journal, meter, log })
  const { workers: _, host: __, port: ___, ...proxyLimits } = config.proxy
  const { firstByteTimeoutMs, streamIdleTimeoutMs } = config.upstream
  const deadlines = openDeadlines(toTimeLimits(config), clock)
  const { refusalsPerMinute: perMinute } = config.journal
  const refusalQuota = new RefusalQuota({ perMinute, clock, meter, warn })
  deadlines.add(refusalQuota)
  const files = { authorities, credentials: credentials.byId }
  const routes = createRoutes(config, { clock, meter, deadlines, ...files, warn })
  const slugOf = createSlugOf(routes)
  const agentGateway = openApiRelay(options)
  const estimator = config.estimates.enabled ? createEstimator({ clock, meter }) : null
  const listener = await listen({
    at: { fd: options.fd },
    tls: tls ?? undefined,
    services: {
      routes: routes.byId,
      findKey: keys.ring.find,
      awaitKey: keys.ring.awaitKey,
      limiter: new Limiter({ connection, slugOf, clock, meter, ...config.limits }),
      agentGateway,
      dimsOnInvalid: config.dims.onInvalid,
      journal,
      refusalQuota,
      ...toReaders(config),
      recordsFirst: config.journal.recordFirst,
      limits: {
        ...proxyLimits,
        firstByteTimeoutMs,
        streamIdleTimeoutMs,
        tapBytesMax: config.tap.bytesMax,
        policyBodyBytesMax: config.policy.bodyBytesMax,
        policyBufferBytesMax: config.policy.heldBytesMax,
        policyPaceBytesMin: config.policy.bodyPaceBytesMin,
      },
      deadlines,
      clock,
      meter,
      estimates: estimator === null ? null : new Estimates({ estimate: estimator.estimate, meter }),
      logCall: log.isLevelEnabled('debug') ? (fields) => log.debug(fields, 'call ended') : null,
      readinessFault: () => (isShared(config) ? null : keys.ring.fault) ?? journal.fault(),
      // All nodes miss the database at once: none of them would be left to take the calls.
      readinessWarning: () => keys.ring.fault,
    },
  })
  async function close(): Promise<void> {
    await estimator?.close()
    agentGateway?.close()
    routes.close()
    deadlines.close()
    refusalQuota.close()
    await journal.close()
    slot.release()
    await keys.close()
    credentials.close()
  }
  let closing: Promise<void> | null = null
  return {
    drain: async (limits) => {
      await listener.drain(limits)
      await (closing ??= close())
    },
  }
}

/** Whatever a worker ends by its clock. */
function toTimeLimits({ proxy, upstream }: Config): readonly number[] {
  const { firstByteTimeoutMs, streamIdleTimeoutMs, idleTimeoutMs } = upstream
  const { headTimeoutMs, bodyTimeoutMs, tunnelIdleTimeoutMs } = proxy
  const ofCalls = [headTimeoutMs, bodyTimeoutMs, firstByteTimeoutMs, streamIdleTimeoutMs]
  return [...ofCalls, tunnelIdleTimeoutMs, idleTimeoutMs, proxy.idleTimeoutMs]
}

/** What is read of a request for its record alone. */
function toReaders({
  dims: { fromBody },
  agents: { sessions, salt = '', repository },
  telemetry,
}: Config): Pick<ProxyServices, 'openBodyDims' | 'agents' | 'readTrace'> {
  const places = fromBody === undefined ? null : parseDimPlaces(fromBody)
  const keepsRepository = repository === 'on'
  return {
    openBodyDims: createBodyDims(places ?? []),
    agents: sessions === 'off' ? null : new Agents({ sessions, salt, keepsRepository }),
    readTrace: telemetry.otlpUrl === undefined ? () => undefined : findTraceParent,
  }
}

function createSlugOf({ byId }: Routes): SlugOf {
  return (id, model) => {
    const provider = byId.get(id)?.provider
    return provider === undefined ? `${id}/${model}` : toSlug(provider, model)
  }
}
