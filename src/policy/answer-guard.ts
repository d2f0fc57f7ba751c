// What a caller may see of the answer to a call that used a stored credential: all but that. It is
// the last guard: the credential is in no URL, which is what upstreams repeat.

import type { Meter } from '../core/telemetry.ts'
import type { CredentialGuard } from '../wire/http/credential-guard.ts'
import type { LineChange } from '../wire/http/forwarded-headers.ts'
import type { ResponseHead } from '../wire/http/http-head.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'
import { PassedTrailers } from '../wire/http/passed-trailers.ts'

/** What is changed in a response on its way to the caller. */
export interface ResponseGuard {
  /** In a head, informational ones included: in the order of its bytes. */
  clean(lines: HeaderLines): readonly LineChange[]
  /** Of a body's bytes up to `end`, what goes on. */
  pass(bytes: Buffer, end: number, trailersAt: number): Buffer
  /** Lines of the response's own head besides, with line ends. */
  addedTo(head: Pick<ResponseHead, 'status'>): string
}

export class AnswerGuard implements ResponseGuard {
  readonly #guard: CredentialGuard
  readonly #takenOut: (count: number) => void
  /** Few answers have any. */
  #trailers: PassedTrailers | null = null

  constructor(guard: CredentialGuard, meter: Meter, { provider }: { readonly provider: string }) {
    this.#guard = guard
    this.#takenOut = (count) => meter.add('credentialsTakenOut', count, provider)
  }

  /** What has to change in a head, informational ones included. */
  clean(lines: HeaderLines): readonly LineChange[] {
    const changes = this.#guard.clean(lines)
    if (changes.length > 0) this.#takenOut(changes.length)
    return changes
  }

  addedTo(): string {
    return ''
  }

  /** Of a body's bytes up to `end`; a trailer that has the credential is dropped. */
  pass(bytes: Buffer, end: number, trailersAt: number): Buffer {
    if (trailersAt > end) return bytes.subarray(0, end)
    this.#trailers ??= new PassedTrailers((line) => {
      const isKeptBack = this.#guard.isIn(line)
      if (isKeptBack) this.#takenOut(1)
      return isKeptBack
    })
    const trailers = this.#trailers.pass(bytes.subarray(trailersAt, end))
    return Buffer.concat([bytes.subarray(0, trailersAt), trailers])
  }
}
