// The words by which requests name models, hide them, or contain the caller's content. Must stay
// true: a naming or hiding word is not content unless a call says so, and near misses are noticed.

import { endsContentPlace } from './content-places.ts'

/** Names the model that a request itself runs; other words name others, or none. */
export const OWN = 'model'

/** Members whose value is a model, or a list of them. */
const NAMING = [
  'model',
  'models',
  'model_id',
  'modelId',
  'model_ids',
  'modelIds',
  'model_name',
  'modelName',
  'analysis_models',
  'allowed_models',
  'deployment',
  'deployment_id',
  'deploymentId',
  'deployment_name',
  'deploymentName',
  'base_model',
  'baseModel',
  'lora_path',
  'adapter_id',
]

/**
 * Members that gateways such as LiteLLM read: lists of models, and tables of which other ones run
 * instead of a model, as in `[{ "a": ["b"] }]` or `{ "a": "b" }`.
 */
const MAPPING = [
  'fallbacks',
  'default_fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'context_window_fallback_dict',
  'model_group_alias',
  'model_alias_map',
]

/** Members such as `reasoning_model`: they name a model where they contain a text. */
const NAMING_END =
  /(?:_models?|Models?|(?:_model|_deployment)_(?:id|name)s?|(?:Model|Deployment)(?:Id|Name)s?)$/

/** Members that leave the choice of the model, or of who runs it, to something not visible. */
const HIDING = [
  'agent',
  'agent_id',
  'agentId',
  'agent_reference',
  'agentReference',
  'assistant_id',
  'assistantId',
  'preset',
  'workflow',
  'workflow_id',
  'workflowId',
  'modelMappings',
  'model_mappings',
  'modelRoutingPreference',
  'model_routing_preference',
  'autoMode',
  'auto_mode',
  'baseURL',
  'baseUrl',
  'base_url',
  'api_base',
  'apiBase',
  'endpoint_id',
  'endpointId',
  'input_file_id',
  'inputFileId',
  'embedding_endpoint',
  'embeddingEndpoint',
  // Gateways that people run themselves read these.
  'aws_bedrock_runtime_endpoint',
  'azure_endpoint',
  'custom_llm_provider',
  'mock_testing_fallbacks',
  'mock_testing_context_fallbacks',
  'mock_testing_content_policy_fallbacks',
  'mock_testing_rate_limit_error',
  'prompt_id',
  'router_settings',
  'router_settings_override',
  'user_config',
  'tensorzero::variant_name',
]

export interface InnerWord {
  readonly word: string
  readonly isHiding: boolean
  /** Values that name no model. */
  readonly others: readonly string[]
}

/** OpenAI's models that judge texts: free of charge, and made for nothing else. */
export const MODERATORS: readonly string[] = [
  'omni-moderation-latest',
  'omni-moderation-2024-09-26',
  'text-moderation-latest',
  'text-moderation-stable',
  'text-moderation-007',
]

const EMBEDDING_ADDRESS: InnerWord = { word: 'endpoint', isHiding: true, others: [] }

/** Words that count somewhere inside one member only, by that member. */
export const INNER_WORDS: ReadonlyMap<string, InnerWord> = new Map([
  ['embedding_dependency', EMBEDDING_ADDRESS],
  ['embeddingDependency', EMBEDDING_ADDRESS],
  ['moderation', { word: OWN, isHiding: false, others: MODERATORS }],
  [
    'plugins',
    {
      word: 'engine',
      isHiding: false,
      // The model's own ways, searches, and a converter that reads no pictures.
      others: [
        'native',
        'auto',
        'exa',
        'firecrawl',
        'parallel',
        'perplexity',
        'cloudflare-ai',
        'pdf-text',
      ],
    },
  ],
])

/** Members that contain names: if repeated, readers differ on which one counts. */
const CONTAINING = [
  'providerOptions',
  'provider_options',
  'gateway',
  'byok',
  'tools',
  'functions',
  'extra_body',
  'session',
  'requests',
  'params',
  'body',
  'prompt',
  ...INNER_WORDS.keys(),
]

/** Members of a request that are the caller's own content, whatever they contain. */
const CONTENT = [
  'contents',
  'content',
  'message',
  'chat_history',
  'preamble',
  'tool_results',
  'system',
  'systemInstruction',
  'system_instruction',
  'instructions',
  'instruction',
  'document',
  'documents',
  'texts',
  'inputs',
  'instances',
  'query',
  'queries',
  'metadata',
  'labels',
  'requestMetadata',
  'user',
  'image',
  'images',
  'file',
  'prediction',
  'logit_bias',
]

/** Content if a list or a text. As an object, `prompt` is a stored one, the others are settings. */
const LISTED_CONTENT = ['prompt', 'values', 'context', 'files']

/** JSON schemas: names in them belong to the caller's own data. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'input_schema',
  'inputSchema',
  'output_schema',
  'outputSchema',
  'json_schema',
  'jsonSchema',
  'schema',
  'responseSchema',
  'response_schema',
  'responseJsonSchema',
  'response_json_schema',
  'parametersJsonSchema',
  'parameters_json_schema',
  'response_format',
  'output_format',
  'format',
])

const PLAIN = /^[\x20-\x7e]*$/
const REMEMBERED_WORDS_MAX = 1000
const REMEMBERED_CHARACTERS_MAX = 32

/**
 * schema    contains a JSON schema
 * placed    contains the caller's own data in some places, and settings elsewhere
 * relevant  names a model, hides it or contains what does, or may be taken for a word that does
 * type, id  say what kind of tool, or which model, the object around them is
 */
export type WordKind = 'schema' | 'placed' | 'relevant' | 'type' | 'id' | 'other'

export interface NameWords {
  readonly naming: ReadonlySet<string>
  /** Those of them whose value can be a table of names. */
  readonly mapping: ReadonlySet<string>
  readonly own: ReadonlySet<string>
  readonly envelopes: ReadonlySet<string>
  readonly hiding: ReadonlySet<string>
  /** Naming and hiding words, and the members that contain them. */
  readonly known: ReadonlySet<string>
  readonly content: ReadonlySet<string>
  readonly listedContent: ReadonlySet<string>
  /** True for an unknown word that some reader may take for a known one. */
  isAlmostKnown(word: string): boolean
  /** True for a word that names a model where its value is a text. */
  endsInName(word: string): boolean
  kindOf(word: string): WordKind
}

export interface MoreWords {
  /** Members that name this call's model, beside `model`. */
  readonly naming?: readonly string[]
  /** Members that contain the requests which this call runs. */
  readonly envelopes?: readonly string[]
  readonly hiding?: readonly string[]
  readonly content?: readonly string[]
}

export function createNameWords(more: MoreWords = {}): NameWords {
  const naming = new Set([...NAMING, ...MAPPING, ...(more.naming ?? [])])
  const hiding = new Set([...HIDING, ...(more.hiding ?? [])])
  const known = new Set([...naming, ...hiding, ...CONTAINING])
  const words = [...known].map((word) => RegExp.escape(word))
  // Some readers fold case in this way: `ſ` is an s and the Kelvin sign a k.
  const almost = new RegExp(`^(?:${words.join('|')})$`, 'iu')
  // Nearly all words are plain, and for those a table takes a tenth of the pattern's time.
  const folded = new Set([...known].map((word) => word.toLowerCase()))
  const isAlmost = (word: string): boolean =>
    PLAIN.test(word) ? folded.has(word.toLowerCase()) : almost.test(word)
  return {
    naming,
    mapping: new Set(MAPPING),
    own: new Set([OWN, ...(more.naming ?? [])]),
    envelopes: new Set(more.envelopes),
    hiding,
    known,
    // A call that names models by such a word has no content there.
    content: new Set([...CONTENT.filter((word) => !known.has(word)), ...(more.content ?? [])]),
    listedContent: new Set(LISTED_CONTENT),
    isAlmostKnown: (word) => !known.has(word) && isAlmost(word),
    endsInName: (word) => NAMING_END.test(word),
    kindOf: rememberWords((word) => {
      if (SCHEMAS.has(word)) return 'schema'
      if (isAlmost(word) || NAMING_END.test(word)) return 'relevant'
      if (endsContentPlace(word)) return 'placed'
      const folded = foldCase(word)
      return folded === 'type' || folded === 'id' ? folded : 'other'
    }),
  }
}

/** Requests repeat the same few words; the first ones seen are remembered. */
function rememberWords(toKind: (word: string) => WordKind): (word: string) => WordKind {
  const kinds = new Map<string, WordKind>()
  return (word) => {
    const remembered = kinds.get(word)
    if (remembered !== undefined) return remembered
    const kind = toKind(word)
    if (kinds.size < REMEMBERED_WORDS_MAX && word.length <= REMEMBERED_CHARACTERS_MAX) {
      kinds.set(word, kind)
    }
    return kind
  }
}

/** Up and down again, which folds `ſ` and the Kelvin sign as well. */
export function foldCase(word: string): string {
  return word.toUpperCase().toLowerCase()
}
