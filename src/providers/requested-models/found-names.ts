// The models found in a request so far, and the first reason why they are not certain. Must stay
// true: all readers compare a name alike, and no reason repeats what the caller wrote.

import type { NamesFound } from '../provider.ts'

const NAME = /^[\x21-\x7e]{1,256}$/
const NAMES_MAX = 256

/** A relative path: its beginning does not say where it leads. */
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/

/** Some gateways read such a name as several models, to run one after the other. */
const SEVERAL = /[,|]|->/

/** A preset added to a model's name may run other models instead. */
const PRESET = '@preset/'

/** To the form that policies use; null where it does not say which model it stands for. */
export type Normalise = (name: string) => string | null

export class FoundNames {
  readonly #names = new Set<string>()
  readonly #normalise: Normalise
  readonly #unlisted: readonly string[]
  #reason: string | null = null
  /** Counts repeated names too. */
  count = 0
  /** Counts the request's own model only, not that of a tool or a fallback. */
  ownCount = 0
  /** The provider does not look at the body's own `model`. */
  isOwnIgnored = false

  /** `unlisted` are names that count, but need not be allowed. */
  constructor(normalise: Normalise | undefined, unlisted: readonly string[] = []) {
    this.#normalise = normalise ?? ((name) => name)
    this.#unlisted = unlisted
  }

  get isRefused(): boolean {
    return this.#reason !== null
  }

  add(name: string): void {
    this.count += 1
    if (!NAME.test(name)) {
      this.refuse('a model in it has a name that is empty, too long or not plain letters')
    } else if (DOT_SEGMENT.test(name)) {
      this.refuse('a model in it has the name of a way through folders')
    } else if (SEVERAL.test(name)) {
      this.refuse('a name in it can be read as several models, so name one')
    } else if (name.lastIndexOf(PRESET) > 0) {
      this.refuse('a preset hides the model')
    } else {
      const normal = this.#normalise(name)
      if (normal === null) this.refuse('an ARN or id in it hides the model, so write its name')
      else if (!this.#unlisted.includes(name)) this.#names.add(normal)
    }
    if (this.#names.size > NAMES_MAX) this.refuse('it names too many models')
  }

  addOwn(name: string): void {
    this.ownCount += 1
    this.add(name)
  }

  refuse(reason: string): void {
    this.#reason ??= reason
  }

  end(): NamesFound {
    if (this.#reason !== null) return { kind: 'unreadable', reason: this.#reason }
    return { kind: 'named', names: [...this.#names] }
  }
}
