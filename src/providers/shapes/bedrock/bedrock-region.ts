// Where Bedrock runs a call: in a geography that the name of an inference profile begins with, else
// in the region of the host or of an ARN.

import type { CallLocation } from '../../provider.ts'

/** Before the maker: `us.maker.model`. */
const GEOGRAPHY = /^(us-gov|us|eu|apac|au|ca|in|jp|global)\.[a-z0-9]+\./
/** Also by way of a VPC endpoint, with FIPS, in China, and the newer host, mantle. */
const HOST =
  /(?:^|\.)bedrock-(?:runtime|mantle)(?:-fips)?\.([a-z0-9-]+)\.(?:(?:vpce\.)?amazonaws\.com(?:\.cn)?|api\.aws)$/
const ARN = /^arn:aws[a-z-]*:bedrock:([a-z0-9-]+):/
/** In a path, its colons are often escaped. */
const ARN_IN_PATH = /\/model\/arn(?:%3a|:)aws[a-z-]*(?:%3a|:)bedrock(?:%3a|:)([a-z0-9-]+)(?:%3a|:)/i

export function findBedrockRegion(place: CallLocation): string | null {
  const { host, path, model, requestedModel } = place
  const found =
    GEOGRAPHY.exec(model ?? '') ??
    GEOGRAPHY.exec(requestedModel ?? '') ??
    ARN.exec(model ?? '') ??
    HOST.exec(host) ??
    ARN_IN_PATH.exec(path)
  return found?.[1] ?? null
}
