// The model in a request's body, read quickly and for the record only; policies read strictly.

import { toBuffer } from '../../wire/growing-bytes.ts'
import { createJsonMembers } from '../../wire/json/json-members.ts'
import type { JsonMembers, JsonShape } from '../../wire/json/json-members.ts'
import type { ModelReader } from '../provider.ts'
import { toName } from './json-leaves.ts'

const MODEL_BYTES_MAX = 4096
const MODEL: JsonShape = { model: true }

/** Most requests name the model first, in plain letters. */
const MODEL_FIRST = /^\s*\{\s*"model"\s*:\s*"([\x20\x21\x23-\x5b\x5d-\x7e]{1,256})"/
const MODEL_FIRST_BYTES_MAX = 320

/** The first `model` decides, so that a large request need not be read to its end. */
export function createBodyModelReader(): ModelReader {
  return new BodyModelReader()
}

/** For a model named before the body. What is longer than a name is none. */
export function createKnownModelReader(model: string | null): ModelReader {
  return { feed: () => true, end: () => toName(model) }
}

class BodyModelReader implements ModelReader {
  #model: string | null = null
  #members: JsonMembers | null = null

  feed(bytes: Uint8Array): boolean {
    if (this.#members === null) {
      const start = toBuffer(bytes).toString('latin1', 0, MODEL_FIRST_BYTES_MAX)
      this.#model = MODEL_FIRST.exec(start)?.[1] ?? null
      if (this.#model !== null) return true
      this.#members = createJsonMembers({
        shape: MODEL,
        valueBytesMax: MODEL_BYTES_MAX,
        isFirstEnough: true,
      })
    }
    this.#members.feed(bytes)
    return this.#members.isDone
  }

  end(): string | null {
    return this.#members === null ? this.#model : toName(this.#members.end().value['model'])
  }
}
