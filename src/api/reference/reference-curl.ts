// An operation's curl command. Must stay true: it can be pasted into a shell as it is.

import { SESSION_SECURITY } from './openapi-document.ts'
import type { Operation, Parameter } from './openapi-document.ts'

export interface CurlCall {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Filled in from the document's examples and lists of values. */
export function toCurl({ method, path, operation }: CurlCall): string {
  const { parameters = [], security, requestBody } = operation
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    exampleOf(parameters.find((parameter) => parameter.name === name)),
  )
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${exampleOf(parameter)}`)
    .join('&')
  const address = `"$WEIR_URL${filled}${query === '' ? '' : `?${query}`}"`
  const isOfSession = security?.some((each) => SESSION_SECURITY in each) ?? false
  const proof = isOfSession
    ? '-H "Origin: $WEIR_URL" -b "weir_session=$SESSION"'
    : '-H "Authorization: Bearer $TOKEN"'
  const token = security === undefined ? [] : [proof]
  const body = requestBody?.content['application/json']?.example
  const verb = method === 'GET' ? [] : [`-X ${method}`]
  const sent =
    body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]
  return ['curl', ...token, ...verb, ...sent, address].join(' ')
}

function exampleOf(parameter: Parameter | undefined): string {
  const { schema, example } = parameter ?? { schema: {} }
  const value = example ?? schema.example ?? schema.default ?? schema.enum?.[0] ?? '…'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
