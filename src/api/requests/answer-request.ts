// GET /v1/requests/{id}: one call and how its cost came about.

import type { Context } from 'hono'
import type { ApiOptions } from '../api-options.ts'
import { authorize } from '../authorize.ts'
import { refuseParameters } from '../parse-parameters.ts'
import { readRequest } from './read-request.ts'

export async function answerRequest(context: Context, options: ApiOptions): Promise<Response> {
  await authorize(context, options, 'read:requests')
  refuseParameters(new URL(context.req.url).searchParams)
  return context.json(await readRequest(context.req.param('id') ?? '', options.usage))
}
