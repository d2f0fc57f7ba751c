// A recipe with the address, the key and the provider put in: what is pasted, and what is run.

import { findTarget } from './formats.ts'
import type { Target } from './formats.ts'
import { isWay } from './recipe.ts'
import type { Language, Recipe, RecipeFile, WayName } from './recipe.ts'

export interface Place {
  /** Without a slash at the end. */
  readonly proxyUrl: string
  /** A Weir key, or what stands for one. */
  readonly key: string
  /** An id; the recipe's own provider where it is left out. */
  readonly provider?: string | undefined
  /** One that the key may use; the recipe's or the provider's usual one where it is left out. */
  readonly model?: string | undefined
  /** What the call has to say, `team=your-team,env=your-env`; left out or empty: nothing. */
  readonly dims?: string
}

export interface Rendered {
  /** Lines for a shell. */
  readonly variables: string
  readonly file: RecipeFile | null
  readonly language: Language
  readonly text: string
}

/** Null where the tool cannot call this provider, or not in this way. */
export function renderRecipe(recipe: Recipe, wayName: WayName, place: Place): Rendered | null {
  const way = recipe[wayName]
  const provider = place.provider ?? recipe.provider
  const target = findTarget(recipe.format, provider)
  if (!isWay(way) || target === null) return null
  const usual = usualModel(recipe, provider) ?? ''
  const model = isPlainModel(place.model ?? '') ? (place.model ?? usual) : usual
  const fill = (text: string): string =>
    toNeeded(text, place.dims ?? '')
      .replaceAll('%URL%', toPlainUrl(`${place.proxyUrl}/v1/${provider}${target.path}`))
      .replaceAll('%PROXY%', toPlainUrl(place.proxyUrl))
      .replaceAll('%KEY%', place.key)
      .replaceAll('%MODEL%', model)
  const lines = Object.entries(way.variables).flatMap(([name, value]) => {
    const filled = fill(value)
    return filled === '' ? [] : [`export ${name}=${toShell(filled)}`]
  })
  const keyLines =
    way.language === 'text'
      ? []
      : wayName === 'stored'
        ? [`export ${recipe.keyVariable}=${toShell(place.key)}`]
        : [toKeyLine(recipe, target)]
  return {
    variables: [...lines, ...keyLines].join('\n'),
    file: way.file === undefined ? null : { path: way.file.path, text: fill(way.file.text) },
    language: way.language,
    text: fill(way.text),
  }
}

/** The model that a recipe calls at a provider unless another is chosen; null: it calls none. */
export function usualModel(recipe: Recipe, provider: string): string | null {
  const target = findTarget(recipe.format, provider)
  if (target === null) return null
  return provider === recipe.provider ? (recipe.model ?? target.model) : target.model
}

/** Callers name models: what could end a string, in a shell or in code, is not pasted. */
export function isPlainModel(model: string): boolean {
  return /^[\w./:@+-]+$/.test(model)
}

/** Whether a call that has to say dimensions can be made in this way as it is shown. */
export function takesDims(recipe: Recipe, wayName: WayName): boolean {
  return JSON.stringify(recipe[wayName]).includes('%DIMS%')
}

function toNeeded(text: string, dims: string): string {
  if (dims !== '') return text.replaceAll(/%[[\]]/g, '').replaceAll('%DIMS%', dims)
  const lines = text.replaceAll(/%\[.*?%\]/g, '').split('\n')
  return lines.filter((line) => !line.includes('%DIMS%')).join('\n')
}

/** How dimensions get in, without what holds only where a credential is stored. */
export function renderDims({ dims }: Recipe, isStored: boolean): string {
  return isStored ? dims : dims.replace(/ With a stored credential, [^.]*\.( |$)/, '$1')
}

export interface Block {
  readonly role: 'variables' | 'file' | 'program'
  /** The file that it belongs into; null for what is pasted or run. */
  readonly path: string | null
  readonly language: Language
  readonly text: string
}

/** In the order in which they are used; a command stands with its variables. */
export function toBlocks({ variables, file, language, text }: Rendered): readonly Block[] {
  if (file === null && language === 'shell') {
    return [{ role: 'program', path: null, language, text: `${variables}\n${text}` }]
  }
  const blocks: readonly Block[] = [
    { role: 'variables', path: null, language: 'shell', text: variables },
    { role: 'file', path: file?.path ?? null, language: 'text', text: file?.text.trimEnd() ?? '' },
    { role: 'program', path: null, language, text },
  ]
  return blocks.filter((block) => block.text !== '')
}

/** A sentence about a recipe, with the proxy's address put in. */
export function renderNote(text: string, proxyUrl: string): string {
  return text.replaceAll('%PROXY%', toPlainUrl(proxyUrl))
}

/** With a header, the provider's key stays where it is, or is put where the tool looks. */
function toKeyLine({ keyVariable }: Recipe, target: Target): string {
  return keyVariable === target.keyVariable
    ? `# ${keyVariable} stays your own key at the provider. It is passed on unchanged.`
    : `export ${keyVariable}="$${target.keyVariable}"`
}

/** What could end a word or a string, in a shell or in code, is encoded: it means the same. */
function toPlainUrl(url: string): string {
  const toCode = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return url.replaceAll(/[^\w:/.@%~[\]-]/g, toCode)
}

/** One word of a shell. */
function toShell(text: string): string {
  return /^[\w:/.@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
