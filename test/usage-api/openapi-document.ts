// The parts of OpenAPI 3.1 that Weir's document uses. Only schemas are referenced.

import type { ApiRoute } from '../../src/api/define-route.ts'
import { createOpenApiDocument } from '../../src/api/reference/openapi.ts'

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, DocumentedAnswer>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

export interface DocumentedAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, DocumentedHeader>>
  readonly content?: Content
}

export interface DocumentedHeader {
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

export type Content = Readonly<Record<string, Media>>

export interface Media {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<
    Record<string, { readonly summary: string; readonly value: unknown }>
  >
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly description?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
}

/** The generator's type allows references everywhere; here only schemas are referenced. */
export function createDocument(version: string, routes: readonly ApiRoute[]): OpenApiDocument {
  return createOpenApiDocument(version, routes) as OpenApiDocument
}
