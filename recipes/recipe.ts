// What a recipe is: how one tool calls through Weir. The pages in docs/recipes, the console's
// Connect page and the runs of `npm run recipes` are all made from these. Must stay true: nothing
// in this folder imports anything from outside it, since it is built into the console.

import type { Format } from './formats.ts'

export type RecipeKind = 'library' | 'command line' | 'application'

export type Language = 'python' | 'js' | 'shell' | 'go' | 'java' | 'text'

export interface Recipe {
  readonly id: string
  readonly title: string
  readonly kind: RecipeKind
  /** What is installed to run it, the tool itself first; none: it is described, not run. */
  readonly packages: readonly Package[]
  readonly format: Format
  /** The provider that it calls unless another is chosen. */
  readonly provider: string
  /** Where its provider's usual one does not suit it. */
  readonly model?: string
  /** It refuses to send a key over plain HTTP. */
  readonly needsHttps?: boolean
  /** The variable from which it takes the provider's key. */
  readonly keyVariable: string
  /** With the Weir key in a header of its own, and the provider's key as before. */
  readonly header: Way | NoWay
  /** With the Weir key in the place of the provider's, which is stored in Weir. */
  readonly stored: Way | NoWay
  /** How dimensions get in, in a sentence or two. */
  readonly dims: string
  /** What does not work, and why. */
  readonly limits: readonly string[]
}

export interface Package {
  readonly from: 'pip' | 'npm' | 'go' | 'maven'
  readonly name: string
  readonly version: string
}

/**
 * Texts may contain `%URL%` (the base URL), `%KEY%` (the Weir key), `%PROXY%` (the address of the
 * proxy), `%MODEL%` and `%DIMS%` (dimensions). A call that needs no dimensions has none: lines with
 * `%DIMS%` are left out then, and what stands between `%[` and `%]`.
 */
export interface Way {
  /** To be exported in a shell, in this order. */
  readonly variables: Readonly<Record<string, string>>
  readonly file?: RecipeFile
  readonly language: Language
  /** The program, the command, or what to enter where. */
  readonly text: string
}

export interface RecipeFile {
  /** `~` is the home folder. */
  readonly path: string
  readonly text: string
}

export interface NoWay {
  readonly whyNot: string
}

export const WAYS = ['header', 'stored'] as const

export type WayName = (typeof WAYS)[number]

export function isWay(way: Way | NoWay): way is Way {
  return 'text' in way
}
