// What the Gemini API answers: generated content whole and as a stream, embeddings, errors. Events
// have no name, end in CRLF and no [DONE] follows them.

import { eventsReply, jsonReply } from './replying-upstream.ts'
import type { AnswerReply } from './replying-upstream.ts'

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

export function googleContent(text: string): AnswerReply {
  return jsonReply(toContent(text, 5, 'STOP'))
}

export function googleEvents(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const finishReason = index === texts.length - 1 ? 'STOP' : null
    return `data: ${JSON.stringify(toContent(text, index + 1, finishReason))}\r\n\r\n`
  })
}

export function googleStream(texts: readonly string[]): AnswerReply {
  return eventsReply(googleEvents(texts), { headers: { 'content-type': 'text/event-stream' } })
}

/** Errors inside a stream come as a bare object: the SDK looks for one in every chunk. */
export function googleErrorPiece(status: number, message: string): string {
  return `${JSON.stringify(toError(status, message))}\r\n\r\n`
}

export function googleError(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): AnswerReply {
  return jsonReply(toError(status, `As asked: ${status}`), { status, headers })
}

export function googleEmbeddings(count: number): AnswerReply {
  const values = [0.25, -0.5, 1]
  return jsonReply({ embeddings: Array.from({ length: count }, () => ({ values })) })
}

function toContent(text: string, candidatesTokenCount: number, finishReason: string | null) {
  const candidate = { content: { role: 'model', parts: [{ text }] }, index: 0 }
  return {
    candidates: [finishReason === null ? candidate : { ...candidate, finishReason }],
    usageMetadata: {
      promptTokenCount: 7,
      candidatesTokenCount,
      totalTokenCount: 7 + candidatesTokenCount,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }],
    },
    modelVersion: 'gemini-fake-001',
    responseId: 'fake-response',
  }
}

function toError(status: number, message: string): unknown {
  return { error: { code: status, message, status: STATUS_NAMES[status] ?? 'UNKNOWN' } }
}
