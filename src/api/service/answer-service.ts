// GET /v1/service: how this Weir does. Must stay true: where its data lies is for administrators; others are told the
// last part of the path.

import { basename } from 'node:path'
import type { Context } from 'hono'
import { hasScope } from '../../core/api-key.ts'
import { toCompletenessAnswer } from './answer-completeness.ts'
import type { ApiServices } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import type { Service } from '../contract.ts'
import { refuseParameters } from '../parse-parameters.ts'

export async function answerService(context: Context, services: ApiServices): Promise<Response> {
  const caller = await authorize(context, services, 'read:usage')
  refuseParameters(new URL(context.req.url).searchParams)
  const { clock, info, site } = services
  const prices = await services.prices()
  const { providers, data } = await services.serviceFigures()
  const { dataDir } = site
  const nowMs = clock.now()
  const answer: Service = {
    as_of: new Date(nowMs).toISOString(),
    version: info.version,
    node_version: site.nodeVersion,
    started_at: new Date(site.startedAt).toISOString(),
    proxy_url: info.proxyUrl,
    providers,
    data: { directory: hasScope(caller, 'admin') ? dataDir : basename(dataDir), ...data },
    completeness: toCompletenessAnswer(await services.completeness(), nowMs),
    price_data: await prices.readData(),
    fault: await services.isReady(),
  }
  return context.json(answer)
}
