// The schemas of the OpenAPI document as a validator sees them. They are addressed in place, by a
// pointer into the document, so that what is checked is what is published.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import type { Media, OpenApiDocument } from '../usage-api/openapi-document.ts'

export const DOCUMENT_ID = 'https://weir.test/openapi.json'

export function createAjv(document: OpenApiDocument): Ajv2020 {
  // The document has members of its own beside schemas.
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormatsModule.default(ajv)
  ajv.addSchema({ ...document }, DOCUMENT_ID)
  return ajv
}

export interface PlacedMedia {
  /** `get /v1/usage 200 application/json`, for people. */
  readonly place: string
  /** The media object in the document, `#/paths/…`. */
  readonly pointer: string
  readonly media: Media
}

/** Every body that is described, of questions and of answers. */
export function listMedia(document: OpenApiDocument): readonly PlacedMedia[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const bodies = [['requestBody', requestBody] as const]
      const answers = Object.entries(responses).map(
        ([status, answer]) => [`responses/${status}`, answer] as const,
      )
      return [...bodies, ...answers].flatMap(([part, body]) =>
        Object.entries(body?.content ?? {}).map(([type, media]) => ({
          place: `${method} ${path} ${part} ${type}`,
          pointer: pointerTo({ path, method, part, type }),
          media,
        })),
      )
    }),
  )
}

export interface MediaPlace {
  readonly path: string
  /** In lower case. */
  readonly method: string
  /** `requestBody` or `responses/200`. */
  readonly part: string
  readonly type: string
}

export function pointerTo({ path, method, part, type }: MediaPlace): string {
  return `#/paths/${escape(path)}/${method}/${part}/content/${escape(type)}`
}

/** RFC 6901, in a URI's fragment. */
function escape(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}
