// PROVIDER and MODEL, as the commands about prices take them.

import type { Config } from '../../config/config.ts'
import { findKnownProvider } from '../../api/keys/key-check.ts'
import { invalidArgument } from '../command.ts'
import type { CommandInput } from '../command.ts'

const MODEL = /^[\x21-\x7e]{1,200}$/

export interface PriceSubject {
  readonly provider: string
  readonly model: string
}

/** Throws, and suggests the nearest, when there is no such provider. */
export function priceArguments(input: CommandInput, config: Config): PriceSubject {
  const { provider: id, model } = subjectOf(input)
  return { provider: findKnownProvider(config, id).id, model }
}

/** Which providers a remote Weir has is not known here. */
export function subjectOf(input: CommandInput): PriceSubject {
  const [provider = '', model = ''] = input.arguments
  if (MODEL.test(model)) return { provider, model }
  throw invalidArgument(
    'The model must be 1 to 200 printable ASCII characters without spaces.',
    'Write it as weir explain and weir prices missing show it.',
  )
}
