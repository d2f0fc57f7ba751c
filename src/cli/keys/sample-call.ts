// A call to paste for a new key: through this Weir's proxy, to a provider that the key may use.
// Where the key may use the credential that Weir stores for it, a base URL and a key are enough, in
// the variables that the provider's clients read.

import { findKeySample, toPlaceHere, toPlaceThere } from '../../api/keys/key-sample.ts'
import type { KeySample, SamplePlace, SampleQuestion } from '../../api/keys/key-sample.ts'
import { toProxyUrl } from '../../app/ports.ts'
import type { CreatedKeyAnswer, KeyModelsAnswer, Service, ServiceInfo } from '../../api/contract.ts'
import { loadConfig } from '../../config/config.ts'
import { toSampleDims } from '../../core/dims.ts'
import type { Api } from '../api.ts'
import type { CommandInput } from '../command.ts'
import { quoteWord } from '../printable.ts'

/** Stands for the address where the port is chosen at the start. */
const ADDRESS_VARIABLE = '$WEIR_PROXY_URL'

/** Nothing where it cannot be read: the secret beside it is shown this once. */
export async function readSampleCall(
  input: CommandInput,
  api: Api,
  key: CreatedKeyAnswer,
): Promise<readonly string[]> {
  try {
    const place = api.url === null ? readPlaceHere(input) : await readPlaceThere(api)
    const { rows: models } =
      key.allowed_models.length === 0
        ? { rows: [] }
        : await api.send<KeyModelsAnswer>('POST /v1/keys/models', { key_id: key.id, limit: 1000 })
    return ['', ...formatSampleCall({ key, models, place, nowMs: input.clock.now() })]
  } catch {
    return []
  }
}

function readPlaceHere({ configFile }: CommandInput): SamplePlace {
  const config = loadConfig({ file: configFile })
  const { port, publicUrl } = config.proxy
  const isKnown = port !== 0 || publicUrl !== undefined
  return toPlaceHere(config, isKnown ? toProxyUrl(config) : null)
}

async function readPlaceThere(api: Api): Promise<SamplePlace> {
  const info = await api.get<ServiceInfo>('/v1/info')
  // It takes read:usage, which making a key does not: without it, no credential is known of.
  const known = await api.get<Service>('/v1/service').then(
    ({ providers }) => providers,
    () => [],
  )
  return toPlaceThere(info, known)
}

/** What it is, then the command; a sentence alone where no sample fits the key. */
function formatSampleCall(subject: SampleQuestion): readonly string[] {
  const sample = findKeySample(subject)
  if (sample === null) {
    return [
      'The console has calls to paste (Connect); docs/providers.md has the address of each provider.',
    ]
  }
  const url = subject.place.proxyUrl ?? ADDRESS_VARIABLE
  const { what, note, lines } = sample.isStored
    ? toStoredCall(subject, sample, url)
    : toOwnCall(subject, sample, url)
  const notes = [
    ...(note === null ? [] : [note]),
    ...listMissing(subject.key).map(([name, value]) => `${value} stands for a ${name} of yours`),
    ...(url === ADDRESS_VARIABLE
      ? [`${ADDRESS_VARIABLE} is the address of the proxy, which weir start prints`]
      : []),
  ]
  const heading = `${what}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}:`
  return [heading, '', ...lines]
}

interface PrintedCall {
  readonly what: string
  readonly note: string | null
  readonly lines: readonly string[]
}

/** With the caller's own key at the provider, beside the one of Weir. */
function toOwnCall(subject: SampleQuestion, sample: KeySample, url: string): PrintedCall {
  const { providerId, path, credential } = sample
  const headers = [`X-SVC-API-Key: ${subject.key.key}`, ...toHeaders(subject.key, sample)]
  const parts = [
    `curl "${url}/v1/${providerId}${path}"`,
    ...headers.map((line) => `-H ${quoteWord(line)}`),
    // In double quotes the shell puts the variable's value in.
    ...(credential === null ? [] : [`-H "${credential.header}$${credential.variable}"`]),
  ]
  const note =
    credential &&
    `$${credential.variable} is your own key at ${providerId}, and is passed on unchanged`
  return { what: 'A call to try it', note, lines: toCommand(parts, sample) }
}

/** With the key of Weir in the place of the provider's. */
function toStoredCall(subject: SampleQuestion, sample: KeySample, url: string): PrintedCall {
  const { providerId, path, credential, client } = sample
  const { urlVariable, keyVariable, basePath } = client
  const parts = [
    `curl "$${urlVariable}${path.slice(basePath.length)}"`,
    `-H "${credential?.header ?? 'Authorization: Bearer '}$${keyVariable}"`,
    ...toHeaders(subject.key, sample).map((line) => `-H ${quoteWord(line)}`),
  ]
  return {
    what: 'All that a client needs, and a call to try it',
    note: `Weir adds its own credential for ${providerId}`,
    lines: [
      `  export ${urlVariable}="${url}/v1/${providerId}${basePath}"`,
      `  export ${keyVariable}=${quoteWord(subject.key.key)}`,
      ...toCommand(parts, sample),
    ],
  }
}

function toHeaders(key: CreatedKeyAnswer, { headers = [] }: KeySample): readonly string[] {
  return [...toDims(key), ...headers, 'Content-Type: application/json']
}

function toCommand(parts: readonly string[], { body }: KeySample): readonly string[] {
  const all = [...parts, `-d ${quoteWord(JSON.stringify(body))}`]
  return all.map((part, at) => {
    return `  ${at === 0 ? '' : '  '}${part}${at === all.length - 1 ? '' : ' \\'}`
  })
}

/** Those that a call must have, and that the key does not give it. */
function toDims(key: CreatedKeyAnswer): readonly string[] {
  const pairs = listMissing(key).map((pair) => pair.join('='))
  return pairs.length === 0 ? [] : [`X-SVC-Dims: ${pairs.join(',')}`]
}

function listMissing(key: CreatedKeyAnswer): ReturnType<typeof toSampleDims> {
  return toSampleDims(key.required_dims, { ...key.default_dims, ...key.locked_dims })
}
