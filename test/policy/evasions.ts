// Everything that was thought of to get another model to run than a key may use.

import type { Evasion } from './attempt.ts'
import { CARRIER_EVASIONS } from './evasion-carriers.ts'
import { CLOUD_EVASIONS } from './evasion-clouds.ts'
import { ENCODING_EVASIONS } from './evasion-encodings.ts'
import { GATEWAY_EVASIONS } from './evasion-gateways.ts'
import { HEAD_EVASIONS } from './evasion-heads.ts'
import { PLACE_EVASIONS } from './evasion-places.ts'
import { ROUTE_EVASIONS } from './evasion-routes.ts'

export const EVASIONS: readonly Evasion[] = [
  ...CARRIER_EVASIONS,
  ...CLOUD_EVASIONS,
  ...GATEWAY_EVASIONS,
  ...HEAD_EVASIONS,
  ...PLACE_EVASIONS,
  ...ROUTE_EVASIONS,
  ...ENCODING_EVASIONS,
]
