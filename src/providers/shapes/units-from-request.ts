// What only the request says of how its answer is billed: the size of images, the text to speak.
// Must stay true: a request that was not read to its end says nothing, and what is kept of it is
// bounded.

import type { JsonShape } from '../../wire/json/json-members.ts'
import { createJsonMembers } from '../../wire/json/json-members.ts'
import type { ModelReader, Operation, Reading, RequestView } from '../provider.ts'
import { findBoundary, FormFields } from './form-fields.ts'
import { isForm } from './form-model.ts'
import type { JsonObject } from './json-leaves.ts'

export interface RequestMembers {
  readonly model: string | null
  /** Null where the request could not be read to its end. */
  readonly members: JsonObject | null
}

export interface UnitsFromRequest {
  /** A form has these as fields: texts of at most 256 characters. */
  readonly members: JsonShape
  /** A larger member counts as absent. */
  readonly valueBytesMax?: number
  /** `isWhole` is false when the answer broke off. */
  complete(reading: Reading, asked: RequestMembers, isWhole: boolean): Reading
}

/** The operation, whose readings are completed from the request. */
export function withUnitsFromRequest(operation: Operation, units: UnitsFromRequest): Operation {
  return {
    ...operation,
    createModelReader: (request) =>
      new RequestMembersReader(
        operation.createModelReader(request),
        units,
        createMembersReader(request, units),
      ),
  }
}

interface MembersReader {
  feed(bytes: Uint8Array): void
  readonly isDone: boolean
  /** Null where the request was not whole. */
  end(): JsonObject | null
}

class RequestMembersReader implements ModelReader {
  readonly #modelReader: ModelReader | null
  readonly #units: UnitsFromRequest
  readonly #members: MembersReader
  #isModelKnown: boolean
  #model: string | null = null

  constructor(modelReader: ModelReader | null, units: UnitsFromRequest, members: MembersReader) {
    this.#modelReader = modelReader
    this.#isModelKnown = modelReader === null
    this.#units = units
    this.#members = members
  }

  feed(bytes: Uint8Array): boolean {
    if (!this.#isModelKnown) this.#isModelKnown = this.#modelReader?.feed(bytes) ?? true
    this.#members.feed(bytes)
    return this.#isModelKnown && this.#members.isDone
  }

  end(): string | null {
    this.#model = this.#modelReader?.end() ?? null
    return this.#model
  }

  complete(reading: Reading, isWhole: boolean): Reading {
    const asked = { model: reading.model ?? this.#model, members: this.#members.end() }
    return this.#units.complete(reading, asked, isWhole)
  }
}

function createMembersReader(request: RequestView, units: UnitsFromRequest): MembersReader {
  return isForm(request) ? readForm(request, units) : readJson(units)
}

function readJson({ members: shape, valueBytesMax }: UnitsFromRequest): MembersReader {
  const members = createJsonMembers({
    shape,
    ...(valueBytesMax === undefined ? {} : { valueBytesMax }),
  })
  return {
    feed: (bytes) => members.feed(bytes),
    get isDone() {
      return members.isDone
    },
    end() {
      const { kind, value } = members.end()
      return kind === 'whole' ? value : null
    },
  }
}

const UNREAD: MembersReader = { feed() {}, isDone: true, end: () => null }

function readForm(request: RequestView, { members }: UnitsFromRequest): MembersReader {
  const boundary = findBoundary(request.header('content-type') ?? '')
  if (boundary === null) return UNREAD
  const names = Object.keys(members)
  const fields = new FormFields(boundary, names)
  return {
    feed: (bytes) => fields.feed(bytes),
    get isDone() {
      return fields.isDone
    },
    end() {
      if (!fields.isDone && !fields.isWhole) return null
      return Object.fromEntries(names.map((name) => [name, fields.find(name)]))
    },
  }
}
