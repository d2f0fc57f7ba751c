// Providers and operations as OpenTelemetry's conventions for generative AI call them
// (https://opentelemetry.io/docs/specs/semconv/gen-ai/). Must stay true: it imports nothing. The
// ledger, which exports calls, does not load the registry.

/** Where it is not the provider's id. */
const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    azure: 'azure.ai.openai',
    bedrock: 'aws.bedrock',
    google: 'gcp.gemini',
    mistral: 'mistral_ai',
    vertex: 'gcp.vertex_ai',
    xai: 'x_ai',
  }),
)

const NAMED = {
  chat: [
    'ai-sdk-language-model',
    'anthropic-messages',
    'bedrock-converse',
    'bedrock-converse-stream',
    'cohere-chat',
    'mistral-agent',
    'mistral-conversation',
    'ollama-chat',
    'openai-chat',
    'openai-realtime',
    'openai-responses',
    'openai-responses-socket',
    'vertex-raw-chat',
  ],
  embeddings: ['cohere-embed', 'gemini-embeddings', 'ollama-embed', 'openai-embeddings'],
  generate_content: [
    'bedrock-invoke',
    'bedrock-invoke-stream',
    'gemini-generate',
    'gemini-interactions',
    'gemini-live',
  ],
  text_completion: [
    'anthropic-complete',
    'cohere-generate',
    'mistral-fim',
    'ollama-generate',
    'openai-completions',
  ],
} as const

/** By the operation; each is one of some provider. */
export const OPERATION_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMED).flatMap(([name, operations]) =>
    operations.map((operation) => [operation, name] as const),
  ),
)

/** An operator's own provider is called by its id. */
export function toGenAiProvider(id: string): string {
  return PROVIDER_NAMES.get(id) ?? id
}

/** One that the conventions have no name for keeps its own; null is a path that no reader knows. */
export function toGenAiOperation(operation: string | null): string {
  if (operation === null) return 'other'
  return OPERATION_NAMES.get(operation) ?? operation
}
