// weir keys check

import type { KeyCheck, KeyRow } from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
import { apiCommand, noSuch, toId } from '../api.ts'
import type { Api } from '../api.ts'
import { option, REQUIRED, textOption } from '../command.ts'
import type { CommandInput, Shown } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { KEY } from './read-keys.ts'

export const checkCommand = apiCommand({
  scope: 'read:keys',
  arguments: ['ID'],
  options: {
    provider: option('P', 'the provider id: the word after /v1/ in the proxy URL', REQUIRED),
    model: option('M', 'the model as requests to that provider name it', REQUIRED),
  },
  run: check,
})

async function check(input: CommandInput, api: Api): Promise<Shown> {
  const id = toId(input.arguments[0] as string)
  const provider = textOption(input, 'provider')
  const body = { key_id: id, provider, model: textOption(input, 'model') }
  const verdict = await api.send<KeyCheck>('POST /v1/keys/check', body).catch((error: unknown) => {
    const isOfKey = error instanceof WeirError && error.message.startsWith('key_id ')
    throw isOfKey ? noSuch(KEY, id) : error
  })
  const { name, state } = await api.get<KeyRow>(`/v1/keys/${id}`)
  const { slug, ...rest } = verdict
  const { allowed, reason } = rest
  const words = allowed ? 'allowed' : 'not allowed'
  const heading = `${slug} at ${provider} with the key ${id} (${name}): ${words}`
  return {
    json: { ...rest, slug, key: { id, name, status: state.status } },
    text: [heading, reason].map(toPrintable).join('\n'),
    code: allowed ? 0 : 1,
  }
}
