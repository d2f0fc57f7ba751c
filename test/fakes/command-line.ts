// The command line over a data directory of its own, with its output in hand and its clock to be
// set.

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { main } from '../../src/cli/main.ts'
import { layEmptyStore } from './sqlite/empty-stores.ts'

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CommandLine {
  readonly dataDir: string
  readonly clock: { nowMs: number }
  /** Runs a command with `--config` added. */
  readonly weir: (...words: readonly string[]) => Promise<CommandResult>
  /** Runs a command with `--json` added and returns what it printed; throws when it failed. */
  readonly json: <Shape>(...words: readonly string[]) => Promise<Shape>
}

const START_MS = Date.UTC(2026, 0, 31, 12)

/** With it, e-mail targets are accepted; nothing is sent. */
export const MAIL_SETTINGS =
  'alerts: { smtp: { url: "smtp://127.0.0.1:1", from: weir@example.com } }'

interface CommandLineOptions {
  /** False: there is no data directory until a command creates one. */
  readonly hasData?: boolean
  /** Lines of the configuration beside the data directory. */
  readonly settings?: string
}

export function createCommandLine(
  context: TestContext,
  options: CommandLineOptions = {},
): CommandLine {
  const root = mkdtempSync(path.join(tmpdir(), 'weir-cli-'))
  context.after(() => rmSync(root, { recursive: true }))
  const clock = { nowMs: START_MS }
  return createCommandLineAt(path.join(root, 'data'), clock, options)
}

/** Puts a configuration beside the data directory. */
export function createCommandLineAt(
  dataDir: string,
  clock: { nowMs: number },
  { hasData = true, settings = '' }: CommandLineOptions = {},
): CommandLine {
  const config = `${dataDir}.yaml`
  writeFileSync(config, `dataDir: ${JSON.stringify(dataDir)}\n${settings}\n`)
  const weir = async (...words: readonly string[]): Promise<CommandResult> => {
    if (hasData && words[0] !== 'restore') await createData(dataDir)
    return runMain([...words, '--config', config], clock)
  }
  const json = async <Shape>(...words: readonly string[]): Promise<Shape> => {
    const result = await weir(...words, '--json')
    if (result.code !== 0) throw new Error(result.err)
    return JSON.parse(result.out) as Shape
  }
  return { dataDir, clock, weir, json }
}

/** As the first start would, unless something is there. */
async function createData(dataDir: string): Promise<void> {
  if (existsSync(path.join(dataDir, 'settings.db')) || isFile(dataDir)) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await layEmptyStore('settings', path.join(dataDir, 'settings.db'))
}

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true
}

/** Runs a command as it stands. */
export async function runMain(
  words: readonly string[],
  clock: { nowMs: number } = { nowMs: START_MS },
): Promise<CommandResult> {
  const out: string[] = []
  const err: string[] = []
  const streams = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) }
  const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
  const code = await main(words, streams, time)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
