// PROVIDER and MODEL, as the commands about prices take them.

import { findKnownProvider } from '../../api/keys/key-check.ts'
import { loadConfig } from '../../config/config.ts'
import type { Api } from '../api.ts'
import { invalidArgument } from '../command.ts'
import type { CommandInput } from '../command.ts'

const MODEL = /^[\x21-\x7e]{1,200}$/

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

/**
 * Throws, and suggests the nearest, when there is no such provider. Which ones a remote Weir has is
 * not known here.
 */
export function priceArguments(
  input: CommandInput,
  { url }: Pick<Api, 'url'> = { url: null },
): PriceSubject {
  const [provider = '', model = ''] = input.arguments
  if (!MODEL.test(model)) {
    throw invalidArgument(
      'The model must be 1 to 200 printable ASCII characters without spaces.',
      'Write it as weir explain and weir prices missing show it.',
    )
  }
  if (url !== null) return { provider, model }
  const config = loadConfig({ file: input.configFile })
  return { provider: findKnownProvider(config, provider).id, model }
}
