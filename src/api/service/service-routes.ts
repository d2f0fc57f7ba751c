// What Weir says about itself. Only administrators see the whole path of the data directory.

import { basename } from 'node:path'
import { hasScope } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { ANYONE, withScope } from '../access.ts'
import type { ApiServices } from '../api-options.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toCompletenessAnswer } from '../requests/completeness.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import { json, text } from '../route-answers.ts'
import {
  healthSchema,
  journalStateSchema,
  serviceInfoSchema,
  serviceSchema,
  unreadySchema,
} from './service-contract.ts'
import type { JournalState, Service } from './service-contract.ts'

// The version of the Prometheus text format, not ours.
const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const defineRoute = routesOf('Service')

export const SERVICE_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/info', {
    name: 'getInfo',
    summary: 'What this Weir is and where its proxy listens',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answer: ok('About this Weir.', serviceInfoSchema),
    handle: ({ services }) => {
      const { version, proxyUrl, providers } = services.info
      return { version, proxy_url: proxyUrl, providers: [...providers] }
    },
  }),
  defineRoute('GET /v1/service', {
    name: 'getService',
    summary: 'How this Weir does: providers, data, prices',
    description:
      'With scope admin the whole path of the data directory is shown, else its last part. Providers and sizes may be ten seconds old.',
    access: withScope('read:usage'),
    sight: 'company',
    answer: ok('The state of things.', serviceSchema),
    handle: ({ services, caller }) => readService(services, caller),
  }),
  defineRoute('GET /v1/journal', {
    name: 'getJournal',
    summary: 'Whether calls are being recorded',
    description:
      'Read anew for each request, and small: for programs that watch Weir, and for the console.',
    access: withScope('read:usage'),
    sight: 'company',
    answer: ok('The state of the journal.', journalStateSchema),
    handle: ({ services, caller }) => readJournal(services, caller),
  }),
  defineRoute('GET /healthz', {
    name: 'getHealth',
    summary: 'Alive',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answer: ok('The process answers.', healthSchema),
    handle: () => ({ status: 'ok' as const }),
  }),
  defineRoute('GET /readyz', {
    name: 'getReadiness',
    summary: 'Ready to work',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answer: ok('Ready.', healthSchema),
    answers: { 503: json('Not ready.', unreadySchema) },
    handle: async ({ context, services }) => {
      const fault = await services.isReady()
      const warnings = services.listWarnings?.() ?? []
      if (fault === null) {
        return { status: 'ok' as const, ...(warnings.length > 0 && { warnings: [...warnings] }) }
      }
      return context.json({ status: 'unready', reason: fault }, 503)
    },
  }),
  defineRoute('GET /metrics', {
    name: 'getMetrics',
    summary: 'Metrics for Prometheus',
    access: ANYONE,
    sight: 'anyone',
    ignoresParameters: true,
    answers: { 200: text('Text format 0.0.4.', 'text/plain') },
    handle: async ({ context, services }) =>
      context.body(await services.renderMetrics(), 200, { 'Content-Type': METRICS_CONTENT_TYPE }),
  }),
]

async function readJournal(services: ApiServices, caller: Caller): Promise<JournalState> {
  const { clock, site } = services
  const { refusal, waiting } = await site.readJournalHealth()
  const { lost } = await services.completeness()
  const silent = await services.silentNodes()
  return {
    as_of: new Date(clock.now()).toISOString(),
    failing_since: toIsoOrNull(refusal?.since ?? null),
    reason: refusal?.reason ?? null,
    on_full: site.onFull,
    waiting,
    lost,
    directory: toShownDir(site.dataDir, caller),
    silent_nodes: silent.map(({ host, since }) => ({ host, since: toIso(since) })),
  }
}

function toShownDir(dataDir: string, caller: Caller): string {
  return hasScope(caller, 'admin') ? dataDir : basename(dataDir)
}

async function readService(services: ApiServices, caller: Caller): Promise<Service> {
  const { clock, info, site } = services
  const prices = await services.prices()
  const { providers, data } = await services.serviceFigures()
  const nowMs = clock.now()
  return {
    as_of: new Date(nowMs).toISOString(),
    version: info.version,
    node_version: site.nodeVersion,
    started_at: new Date(site.startedAt).toISOString(),
    proxy_url: info.proxyUrl,
    providers,
    data: { directory: toShownDir(site.dataDir, caller), ...data },
    completeness: toCompletenessAnswer(await services.completeness(), nowMs),
    price_data: await prices.readData(),
    fault: await services.isReady(),
  }
}
