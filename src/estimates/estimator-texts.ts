// The texts of a request that a model reads, and their wrapping as OpenAI documents it for chat.
// Must stay true: addresses and contents of files and images do not count, but they are noticed.

/** OpenAI, "How to count tokens with tiktoken": per message, per name in it, and for the reply. */
const MESSAGE_TOKENS = 3
const NAME_TOKENS = 1
const REPLY_TOKENS = 3

/** A list of more parts has been made to take long: what is behind them is not counted. */
const TEXTS_MAX = 10_000

type JsonObject = Readonly<Record<string, unknown>>

export interface RequestTexts {
  readonly texts: readonly string[]
  /** Tokens that stand for no text. */
  readonly extraTokens: number
  /** It has what text does not show: pictures, sound, files, or reasoning that it asks for. */
  readonly isPartial: boolean
}

export function readRequestTexts(body: unknown): RequestTexts {
  const texts: string[] = []
  let extraTokens = 0
  const addMessage = (message: unknown): void => {
    const own = texts.length < TEXTS_MAX ? messageTexts(message) : []
    if (own.length === 0) return
    for (const text of own) texts.push(text)
    extraTokens += MESSAGE_TOKENS
    if (typeof message === 'object' && typeof toObject(message)?.['name'] === 'string') {
      extraTokens += NAME_TOKENS
    }
  }
  const { messages, input, prompt, instructions, system, tools, ...rest } = toObject(body) ?? {}
  for (const list of [messages, input, system, instructions]) {
    for (const message of toList(list)) addMessage(message)
  }
  if (extraTokens > 0) extraTokens += REPLY_TOKENS
  for (const part of toList(prompt)) {
    if (typeof part === 'string') texts.push(part)
    else extraTokens += countIds(part)
  }
  // Schemas reach the model in a form of the provider's own, not far from how they are written.
  for (const schema of [tools, rest['functions'], rest['response_format'], rest['text']]) {
    if (typeof schema === 'object' && schema !== null) texts.push(JSON.stringify(schema))
  }
  const hasMore = texts.length >= TEXTS_MAX || asksForReasoning(rest)
  const isPartial = hasMore || [messages, input].some((list) => toList(list).some(hasMedia))
  return { texts, extraTokens, isPartial }
}

/** In a part's type or its members' names: `image_url`, `input_audio`, `file_id`, `document`. */
const MEDIA = /image|audio|video|file|document/

function hasMedia(message: unknown): boolean {
  const object = toObject(message)
  const parts = [message, ...toList(object?.['content']), ...toList(object?.['output'])]
  return parts.map(toObject).some((part) => part !== null && isMedia(part))
}

function isMedia(part: JsonObject): boolean {
  if (typeof part['type'] === 'string' && MEDIA.test(part['type'])) return true
  return Object.keys(part).some((name) => MEDIA.test(name) && toList(part[name]).length > 0)
}

/** OpenAI bills reasoning that it does not show, by the names of chat and of Responses. */
function asksForReasoning(body: JsonObject): boolean {
  const effort = body['reasoning_effort'] ?? toObject(body['reasoning'])?.['effort']
  return typeof effort === 'string' && effort !== 'none'
}

const TEXT_MEMBERS = ['role', 'name', 'content', 'text', 'refusal', 'arguments', 'output']

function messageTexts(message: unknown): string[] {
  if (typeof message === 'string') return [message]
  const object = toObject(message)
  if (object === null) return []
  const texts = TEXT_MEMBERS.flatMap((name) => partTexts(object[name]))
  for (const call of toList(object['tool_calls'])) {
    const called = toObject(toObject(call)?.['function'])
    texts.push(...partTexts(called?.['name']), ...partTexts(called?.['arguments']))
  }
  return texts
}

/** A text, or a list of parts of which some are texts. */
function partTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.slice(0, TEXTS_MAX).flatMap((part) => {
    const text = typeof part === 'string' ? part : toObject(part)?.['text']
    return typeof text === 'string' ? [text] : []
  })
}

/** A prompt may be given as the numbers of its tokens. */
function countIds(value: unknown): number {
  if (typeof value === 'number') return 1
  return Array.isArray(value) ? value.length : 0
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

function toObject(value: unknown): JsonObject | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : null
}
