// Tools and plugins that run models of the provider's choice where they name none. Must stay true:
// only the place that the provider reads counts, since it would not see a name elsewhere.

import type { JsonEntries, JsonNode } from '../../wire/json/json-tree.ts'

interface Choosing {
  readonly kind: RegExp
  /** The member that names the models. */
  readonly naming: string
  readonly reason: string
}

const CHOOSING: readonly Choosing[] = [
  {
    kind: /(?:^|[.:])image_generation$|^openrouter:(?:advisor|subagent)$/,
    naming: 'model',
    reason: 'a tool of it runs a model that it does not name in its `model`',
  },
  {
    kind: /^(?:openrouter:)?fusion$/,
    naming: 'analysis_models',
    reason: 'a panel of models is asked that it does not name in `analysis_models`',
  },
]

/** Why the tool's models are not known; null where they are, or where it runs none. */
export function findUnnamed(tool: JsonEntries): string | null {
  for (const { key, value } of tool.entries) {
    if ((key !== 'type' && key !== 'id') || typeof value !== 'string') continue
    const choosing = CHOOSING.find(({ kind }) => kind.test(value))
    if (choosing !== undefined && !isNamed(settingsOf(tool, value), choosing.naming)) {
      return choosing.reason
    }
  }
  return null
}

/** In `parameters` of OpenRouter's tools, in `args` of the AI SDK's, whose kind is `maker.tool`. */
function settingsOf(tool: JsonEntries, kind: string): JsonEntries | null {
  const within = kind.includes(':') ? 'parameters' : kind.includes('.') ? 'args' : null
  if (within === null) return tool
  const [only, ...others] = tool.entries.filter(({ key }) => key === within)
  const value = others.length > 0 ? null : (only?.value ?? null)
  return typeof value === 'object' && value?.kind === 'object' ? value : null
}

function isNamed(settings: JsonEntries | null, naming: string): boolean {
  return settings?.entries.some(({ key, value }) => key === naming && !isEmpty(value)) === true
}

function isEmpty(value: JsonNode): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  return value.kind === 'list' && value.items.length === 0
}
