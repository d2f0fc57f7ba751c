import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'

import { TOP_FOLDER } from '../tidy/checkout.ts'
import { lacking, runTool } from './tools.ts'

const DOCKERFILE = path.join(TOP_FOLDER, 'Dockerfile')
const HEALTH = path.join(TOP_FOLDER, 'deploy', 'docker', 'health.js')

const skip = lacking('hadolint')

test('hadolint has nothing to say of the Dockerfile', { skip }, async () => {
  const { code, said } = await runTool('hadolint', [DOCKERFILE])
  assert.deepEqual([code, said], [0, ''])
})

test('the last stage of the image runs nothing, and runs as nobody who owns anything', () => {
  const stages = readFileSync(DOCKERFILE, 'utf8').split(/^FROM /m)
  const last = stages.at(-1) ?? ''
  assert.doesNotMatch(last, /^RUN /m)
  assert.match(last, /^USER 10001:10001$/m)
  assert.deepEqual(last.match(/^VOLUME .+$/gm), ['VOLUME /data'])
})

for (const status of [200, 503]) {
  test(`the health check ends as /healthz answers ${status}`, async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = `${(server.address() as AddressInfo).port}`
    // The other port is one that nothing listens on.
    const env = { ...process.env, WEIR_API_PORT: port, WEIR_STATUS_PORT: '1' }
    const child = spawn(process.execPath, [HEALTH], { env, stdio: 'ignore' })
    const [code] = (await once(child, 'exit')) as [number]
    server.close()
    assert.equal(code, status === 200 ? 0 : 1)
  })
}
