// weir keys check

import { loadConfig } from '../../config/config.ts'
import { checkKey, findKnownProvider } from '../../api/keys/key-check.ts'
import { statusOf } from '../../core/api-key.ts'
import { MODEL_NAME } from '../../core/key-rules.ts'
import { invalidArgument, printJson, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { noSuchKey, toId } from './key-view.ts'
import { toPrintable } from '../printable.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { withSettings } from '../with-settings.ts'

export const keysCheckCommand: CommandBody = {
  usage: 'weir keys check ID --provider P --model M [options]',
  arguments: ['ID'],
  options: {
    provider: {
      type: 'string',
      value: 'P',
      about: 'the provider id: the word after /v1/ in the proxy URL',
      isRequired: true,
    },
    model: {
      type: 'string',
      value: 'M',
      about: 'the model as requests to that provider name it',
      isRequired: true,
    },
    ...URL_OPTION,
  },
  run: checkKeyModel,
}

async function checkKeyModel(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  const model = textOption(input, 'model') as string
  if (!MODEL_NAME.test(model)) {
    throw invalidArgument(
      'The model must be 1 to 256 printable ASCII characters without spaces.',
      'Write it as a request names it. The proxy refuses other names for a key with allowed models.',
    )
  }
  const provider = textOption(input, 'provider') as string
  const question: Question = { id, provider, model }
  const { key, allowed, reason, slug, pattern } = await readFrom(input, {
    scope: 'read:keys',
    here: () => checkHere(input, question),
    there: async (client) => {
      const { name, status } = await client.key(id)
      const verdict = await client.checkKey({ key_id: id, provider, model })
      return { ...verdict, key: { id, name, status } }
    },
  })
  if (input.isJson) printJson(input, { allowed, reason, slug, pattern, key })
  else {
    const verdict = allowed ? 'allowed' : 'not allowed'
    const heading = `${slug} at ${provider} with the key ${key.id} (${key.name}): ${verdict}`
    input.out([heading, reason].map(toPrintable).join('\n'))
  }
  return allowed ? 0 : 1
}

interface Question {
  readonly id: string
  readonly provider: string
  readonly model: string
}

async function checkHere(input: CommandInput, { id, model, ...asked }: Question) {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  const provider = findKnownProvider(config, asked.provider)
  const keys = await withSettings(input, (settings) => settings.keys.list())
  const key = keys.find((each) => each.id === id)
  if (key === undefined) throw noSuchKey(id)
  const nowMs = input.clock.now()
  const shown = { id: key.id, name: key.name, status: statusOf(key, nowMs) }
  return { ...checkKey({ key, provider, model, nowMs }), key: shown }
}
