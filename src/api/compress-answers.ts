// JSON in a tenth of its bytes, for whoever takes gzip: a list of a hundred keys is 66 KB. Not what
// has an entity tag, which stands for its bytes, and is short; nor exports, which are no JSON.

import type { MiddlewareHandler } from 'hono'

const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i

export const compressAnswers: MiddlewareHandler = async (context, next) => {
  await next()
  const { body, headers, status } = context.res
  if (status !== 200 || body === null || context.req.method === 'HEAD') return
  if (headers.get('Content-Type')?.startsWith('application/json') !== true) return
  if (headers.has('ETag') || headers.has('Content-Encoding')) return
  context.header('Vary', 'Accept-Encoding', { append: true })
  if (!TAKES_GZIP.test(context.req.header('Accept-Encoding') ?? '')) return
  context.res = new Response(body.pipeThrough(new CompressionStream('gzip')), context.res)
  context.res.headers.delete('Content-Length')
  context.res.headers.set('Content-Encoding', 'gzip')
}
