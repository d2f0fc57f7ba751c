// Runs a command to its end, with a limit of time and of what is kept of its output. Must stay
// true: when it resolves, nothing that the command started is left running.

import { spawn } from 'node:child_process'

export interface Command {
  readonly command: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
}

export interface CommandEnd {
  /** Null when it was killed. */
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const OUTPUT_CHARS_MAX = 200_000

export async function runCommand(options: Command): Promise<CommandEnd> {
  const { command, words, cwd, env, timeoutMs } = options
  // A group of its own, so that what it starts can be ended with it.
  const child = spawn(command, [...words], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (bytes: Buffer) => (out = cut(out + bytes.toString())))
  child.stderr.on('data', (bytes: Buffer) => (err = cut(err + bytes.toString())))
  const kill = (): void => endGroup(child.pid)
  const timer = setTimeout(kill, timeoutMs)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (exitCode) => {
        kill()
        child.once('close', () => resolve(exitCode))
      })
    })
    return { code, out, err }
  } finally {
    clearTimeout(timer)
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

const cut = (text: string): string => text.slice(-OUTPUT_CHARS_MAX)

/** The end of what a command said, for a message. */
export function describeEnd({ code, out, err }: CommandEnd): string {
  const said = `${out}\n${err}`.trim().split('\n').slice(-12).join('\n')
  return `${code === null ? 'killed' : `exit code ${code}`}: ${said.slice(-1500)}`
}
