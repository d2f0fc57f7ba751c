// A receiver of webhooks, written as its users would write it: with `standardwebhooks`. What it
// does with each message is decided by the test.

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

import { Webhook } from 'standardwebhooks'

export interface ReceivedMessage {
  readonly id: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
  /** Whether the signature is good. */
  readonly isVerified: boolean
}

/** `hang`: no answer at all. */
export type ReceiverAnswer = number | 'hang' | ((response: ServerResponse) => void)

export interface WebhookReceiver {
  readonly url: string
  readonly messages: ReceivedMessage[]
  /** Of the messages from now on. */
  answer: ReceiverAnswer
  secret: string
}

export const RECEIVER_SECRET = `whsec_${Buffer.from('a secret of the tests only').toString('base64')}`

export async function openWebhookReceiver(context: TestContext): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = []
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const { headers } = request
      const isVerified = verify(receiver.secret, body, headers)
      messages.push({ id: String(headers['webhook-id']), body, headers, isVerified })
      const { answer } = receiver
      if (typeof answer === 'function') return answer(response)
      if (answer === 'hang') return undefined
      response.writeHead(answer)
      return response.end('noted')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hook`
  const receiver: WebhookReceiver = { url, messages, answer: 200, secret: RECEIVER_SECRET }
  return receiver
}

function verify(secret: string, body: string, headers: IncomingMessage['headers']): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
