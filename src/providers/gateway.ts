// Vercel AI Gateway: one provider identity for all models behind it, which names its price in-band.

import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { gatewayMetadata } from './shapes/gateway-metadata.ts'
import { openaiChat } from './shapes/openai-chat.ts'

export const gateway = defineProvider({
  id: 'gateway',
  upstream: 'https://ai-gateway.vercel.sh',
  errorShape: 'gateway',
  operations: gatewayOperations('/v1'),
})

export function gatewayOperations(base: string): readonly Operation[] {
  return [openaiChat(`${base}/chat/completions`, { addition: gatewayMetadata })]
}
