// The image's health check: whether the Weir of this container answers /healthz. A `weir proxy` has
// its status port, `weir start` and `weir api` have the API's. Must stay true: it needs Node alone.

import http from 'node:http'
import https from 'node:https'

const TIMEOUT_MS = 2000

const { WEIR_STATUS_PORT = '7072', WEIR_API_PORT = '7071' } = process.env

/** By TLS, too, with any certificate: this is the same container, and it is for another name. */
const urls = [WEIR_STATUS_PORT, WEIR_API_PORT].flatMap((port) => [
  `http://127.0.0.1:${port}/healthz`,
  `https://127.0.0.1:${port}/healthz`,
])

function isHealthy(url) {
  return new Promise((resolve) => {
    const { get } = url.startsWith('https:') ? https : http
    const request = get(url, { timeout: TIMEOUT_MS, rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

const answers = await Promise.all(urls.map(isHealthy))
process.exit(answers.includes(true) ? 0 : 1)
