// A call to paste for a new key: through this Weir's proxy, to a provider that the key may use.

import { findKeySample } from '../../api/keys/key-sample.ts'
import type { KeySample, SampleQuestion } from '../../api/keys/key-sample.ts'
import { toUrl } from '../../app/ports.ts'
import type { Config } from '../../config/config.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { quoteWord } from '../printable.ts'

export interface SampleSubject extends SampleQuestion {
  readonly credential: string
}

/** Stands for the address where the port is chosen at the start. */
const ADDRESS_VARIABLE = '$WEIR_PROXY_URL'
const ANY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])

/** What it is, then the command; a sentence alone where no sample fits the key. */
export function formatSampleCall(subject: SampleSubject): readonly string[] {
  const sample = findKeySample(subject)
  if (sample === null) {
    return [
      'The console has calls to paste (Connect a client); docs/providers.md has the address of each provider.',
    ]
  }
  const { credential, providerId } = sample
  const url = toProxyUrl(subject.config)
  const notes = [
    ...(credential === null
      ? []
      : [`$${credential.variable} is your own key at ${providerId}, and is passed on unchanged`]),
    ...(url === ADDRESS_VARIABLE
      ? [`${ADDRESS_VARIABLE} is the address of the proxy, which weir start prints`]
      : []),
  ]
  const heading = `A call to try it${notes.length === 0 ? '' : ` (${notes.join('; ')})`}:`
  return [heading, '', ...toCurl(subject, sample, url)]
}

function toProxyUrl({ proxy, tls }: Config): string {
  const { host, port } = proxy
  if (port === 0) return ADDRESS_VARIABLE
  const isTls = tls.cert !== undefined
  return toUrl({ host: ANY_ADDRESS.has(host) ? '127.0.0.1' : host, port, isTls })
}

function toCurl(
  { key, credential: secret }: SampleSubject,
  { providerId, path, body, credential, headers = [] }: KeySample,
  url: string,
): readonly string[] {
  const quoted = [
    `X-SVC-API-Key: ${secret}`,
    ...toDims(key),
    ...headers,
    'Content-Type: application/json',
  ].map((line) => `-H ${quoteWord(line)}`)
  // In double quotes the shell puts the variable's value in.
  const own = credential === null ? [] : [`-H "${credential.header}$${credential.variable}"`]
  const parts = [
    `curl "${url}/v1/${providerId}${path}"`,
    ...quoted,
    ...own,
    `-d ${quoteWord(JSON.stringify(body))}`,
  ]
  return parts.map((part, at) => {
    return `  ${at === 0 ? '' : '  '}${part}${at === parts.length - 1 ? '' : ' \\'}`
  })
}

/** Those that a call must have, and that the key does not give it. */
function toDims({ requiredDims, defaultDims, lockedDims }: ApiKey): readonly string[] {
  const missing = requiredDims.filter((name) => !(name in defaultDims) && !(name in lockedDims))
  if (missing.length === 0) return []
  return [`X-SVC-Dims: ${missing.map((name) => `${name}=example`).join(',')}`]
}
