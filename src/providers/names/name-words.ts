// The words by which requests name models, hide them behind something else, or contain the caller's
// own content. Must stay true: a word that names or hides is not content unless a call says that it
// is, and one spelled almost like it is not taken for another.

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
  'fallbacks',
  'analysis_models',
  'allowed_models',
  'deployment',
  'deployment_id',
  'deploymentId',
  'deployment_name',
  'deploymentName',
  'base_model',
  'baseModel',
]

/**
 * Members with words of their own in front, such as `reasoning_model`: a model where they contain a
 * text.
 */
const NAMING_END =
  /(?:_models?|Models?|(?:_model|_deployment)_(?:id|name)s?|(?:Model|Deployment)(?:Id|Name)s?)$/

/**
 * Where a request names the model that it runs itself: all else names others, or nothing to this
 * call.
 */
const OWN = 'model'

/** Members that leave the choice of the model, or of who runs it, to something out of sight. */
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
]

/** Members in which others name models: two of one name, and readers differ on which one counts. */
const CONTAINING = [
  'providerOptions',
  'provider_options',
  'gateway',
  'byok',
  'tools',
  'functions',
  'plugins',
  'extra_body',
  'session',
  'requests',
  'params',
  'body',
  'prompt',
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

/**
 * Content where they are a list or a text. As an object `prompt` is a stored one, and others are
 * settings.
 */
const LISTED_CONTENT = ['prompt', 'values', 'context', 'files']

/** JSON schemas: names in them are those of the caller's own data, wherever they stand. */
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

const REMEMBERED_WORDS_MAX = 1000
const REMEMBERED_CHARACTERS_MAX = 32

/**
 * schema    contains a JSON schema
 * relevant  names a model, hides it or contains what does, or may be taken for a word that does
 * type, id  say what kind of tool, or which model, the object around them is
 */
export type WordKind = 'schema' | 'relevant' | 'type' | 'id' | 'other'

export interface NameWords {
  readonly naming: ReadonlySet<string>
  readonly own: ReadonlySet<string>
  readonly envelopes: ReadonlySet<string>
  readonly hiding: ReadonlySet<string>
  /** Both of them, and the members in which they stand. */
  readonly known: ReadonlySet<string>
  readonly content: ReadonlySet<string>
  readonly listedContent: ReadonlySet<string>
  /** True for a word that is none of the known ones, but that some reader may take for one. */
  isAlmostKnown(word: string): boolean
  /** True for a word that names a model where it contains a text. */
  endsInName(word: string): boolean
  kindOf(word: string): WordKind
}

export interface MoreWords {
  /** Members by which this call takes the model that it runs, beside `model`. */
  readonly naming?: readonly string[]
  /** Members in which this call carries the requests that it runs. */
  readonly envelopes?: readonly string[]
  readonly hiding?: readonly string[]
  readonly content?: readonly string[]
}

export function createNameWords(more: MoreWords = {}): NameWords {
  const naming = new Set([...NAMING, ...(more.naming ?? [])])
  const hiding = new Set([...HIDING, ...(more.hiding ?? [])])
  const known = new Set([...naming, ...hiding, ...CONTAINING])
  const words = [...known].map((word) => RegExp.escape(word))
  // Letters are compared as by readers that fold them: `ſ` is an s and the Kelvin sign a k.
  const almost = new RegExp(`^(?:${words.join('|')})$`, 'iu')
  return {
    naming,
    own: new Set([OWN, ...(more.naming ?? [])]),
    envelopes: new Set(more.envelopes),
    hiding,
    known,
    // A call that names models by such a word has no content there.
    content: new Set([...CONTENT.filter((word) => !known.has(word)), ...(more.content ?? [])]),
    listedContent: new Set(LISTED_CONTENT),
    isAlmostKnown: (word) => !known.has(word) && almost.test(word),
    endsInName: (word) => NAMING_END.test(word),
    kindOf: rememberWords((word) => {
      if (SCHEMAS.has(word)) return 'schema'
      if (almost.test(word) || NAMING_END.test(word)) return 'relevant'
      const folded = foldCase(word)
      return folded === 'type' || folded === 'id' ? folded : 'other'
    }),
  }
}

/** Requests have the same few words again and again; the first ones that come are remembered. */
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
