// Starts the simulated upstream by itself: `node test/fakes/run-upstream.ts [port]`. Point a provider's
// address at what it prints, to try Weir without an account.

import { openFakeUpstream } from './upstream.ts'

const port = Number(process.argv[2] ?? 0)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write(`Not a port: ${process.argv[2]}\nGive a number up to 65535, or none.\n`)
  process.exit(1)
}

const upstream = await openFakeUpstream({ port })
process.stdout.write(
  `Simulated upstream at ${upstream.url}\n` +
    `  the gateway's chat   ${upstream.url}/gateway\n` +
    `  OpenAI's chat        ${upstream.url}/openai\n`,
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void upstream.close()
  })
}
