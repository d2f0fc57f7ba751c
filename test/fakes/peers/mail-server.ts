// A mail server on loopback that speaks as much SMTP as it takes to receive a mail, RFC 5321.

import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
}

export interface MailServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** What is answered to commands, by their first word; `hang` for nothing at all. */
  readonly answers: Map<string, string>
}

export async function openMailServer(context: TestContext): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const answers = new Map<string, string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket, answers, (mail) => mails.push(mail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, mails, answers }
}

const USUAL: Readonly<Record<string, string>> = {
  EHLO: '250-mail.example.com\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 welcome',
  DATA: '354 go on',
  QUIT: '221 bye',
}

function serve(
  socket: Socket,
  answers: ReadonlyMap<string, string>,
  keep: (mail: ReceivedMail) => void,
): void {
  let rest = ''
  let from = ''
  let to: string[] = []
  let data: string[] | null = null
  const say = (word: string, usual = USUAL[word] ?? '250 ok'): void => {
    const answer = answers.get(word) ?? usual
    if (answer !== 'hang') socket.write(`${answer}\r\n`)
  }
  const take = (line: string): void => {
    if (data !== null && line !== '.') return void data.push(line)
    if (data !== null) {
      keep({ from, to, text: data.join('\n') })
      data = null
      return say('.', '250 2.0.0 queued as 17')
    }
    const word = line.split(' ')[0]?.toUpperCase() ?? ''
    if (word === 'MAIL') [from, to] = [line, []]
    if (word === 'RCPT') to.push(line)
    say(word)
    if (word === 'DATA' && !answers.has('DATA')) data = []
    return undefined
  }
  say('GREETING', '220 mail.example.com')
  socket.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}
