// The HTTP side of a tunnel: the CONNECT request and the proxy's answer (RFC 9110, 9.3.6). Bytes
// after the answer belong to the protocol inside the tunnel and are put back.

import type { Socket } from 'node:net'

import { isFault } from '../wire/http/http-head.ts'
import { ResponseHeadReader } from '../wire/http/response-head-reader.ts'

/** An answer to CONNECT is a few lines; one that is longer is no answer to it. */
const ANSWER_LIMITS = { headBytesMax: 16_384, headersMax: 100 }

/** `authority` is the host and port to reach, an IPv6 address in brackets. */
export function writeConnect(authority: string, proxy: URL): string {
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`]
  if (proxy.username !== '' || proxy.password !== '') {
    const userinfo = [proxy.username, proxy.password].map(decodeURIComponent).join(':')
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(userinfo).toString('base64')}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Calls back with null when the tunnel is open, else with a reason; the socket is paused then. */
export function readConnectAnswer(socket: Socket, done: (fault: string | null) => void): void {
  const heads = new ResponseHeadReader('CONNECT', ANSWER_LIMITS)
  const settle = (fault: string | null, behind?: Buffer): void => {
    socket.off('data', onData)
    socket.pause()
    // Only now: on a socket that flows they would come straight back to us.
    if (behind !== undefined && behind.length > 0) socket.unshift(behind)
    done(fault)
  }
  const onData = (chunk: Buffer): void => {
    for (let bytes = chunk; ;) {
      const head = heads.read(bytes)
      if (head === null) return
      if (isFault(head)) return settle(`proxy answered ${head.fault}`)
      const { status } = head
      bytes = heads.rest
      if (status < 200) continue
      if (status >= 300) return settle(`proxy answered ${status}`)
      return settle(null, bytes)
    }
  }
  socket.on('data', onData)
}
