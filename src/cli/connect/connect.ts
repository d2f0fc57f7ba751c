// weir connect: sets up a coding agent on this machine so that its calls go through Weir. Must stay
// true: without --write nothing changes; what was there before comes back with --undo.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

import { readToolFolders, readWeirKey } from '../../config/config.ts'
import { parseKeyCredential } from '../../core/ids.ts'
import { flag, invalidArgument, option, refused, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { TOOL_NAMES, TOOLS } from './tool-files.ts'
import type { Connection, ConnectedTool, ToolFile, ToolName } from './tool-files.ts'

const PROXY = 'http://127.0.0.1:7070'
const KEY_HINT =
  'Make a key under My keys in the console, or by weir keys create, and set it as WEIR_KEY.'

export const commands: Commands = {
  connect: {
    arguments: ['TOOL'],
    options: {
      proxy: option('URL', `where Weir's proxy is (default: ${PROXY})`),
      stored: flag("the Weir key takes the place of the provider's, which Weir has stored"),
      write: flag('write the files; a copy of each is kept'),
      undo: flag('put back what was there before the first --write'),
    },
    run,
  },
}

async function run(input: CommandInput): Promise<Shown> {
  const tool = toTool(input.arguments[0] ?? '')
  const connection = { proxy: toProxy(input), key: '', isStored: input.values['stored'] === true }
  if (input.values['undo'] === true) return undo(tool, listFiles(tool, connection))
  const key = readWeirKey()
  if (key !== null && parseKeyCredential(key) === null) {
    throw invalidArgument('WEIR_KEY is not a whole Weir key, svc_k_….', KEY_HINT)
  }
  if (input.values['write'] !== true) return show(tool, { ...connection, key: 'svc_k_…' })
  if (key === null) throw invalidArgument('There is no Weir key to write.', KEY_HINT)
  return write(tool, { ...connection, key })
}

function toTool(name: string): ConnectedTool {
  const known = TOOL_NAMES.find((each) => each === name) as ToolName | undefined
  if (known !== undefined) return TOOLS[known]
  throw invalidArgument(
    `"${name}" is no tool that is known here.`,
    `One of ${TOOL_NAMES.join(', ')}.`,
  )
}

function toProxy(input: CommandInput): string {
  const text = textOption(input, 'proxy') ?? PROXY
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '')
  throw invalidArgument(`--proxy ${text} is no URL.`, `Write one such as ${PROXY}.`)
}

interface ChangedFile {
  readonly path: string
  readonly before: string
  readonly after: string
}

function listFiles(tool: ConnectedTool, connection: Connection): readonly ToolFile[] {
  return tool.listFiles({ home: homedir(), ...readToolFolders() }, connection)
}

/** All of them before any is written. */
function readChanges(tool: ConnectedTool, connection: Connection): readonly ChangedFile[] {
  return listFiles(tool, connection).map((file) => {
    const before = existsSync(file.path) ? readFileSync(file.path, 'utf8') : ''
    try {
      return { path: file.path, before, after: file.change(before) }
    } catch {
      // The fault quotes the text, in which there may be a key.
      throw refused(
        `${file.path} cannot be changed: it is not one JSON object.`,
        'Mend the file, or set the tool up by hand: docs/recipes.',
      )
    }
  })
}

function show(tool: ConnectedTool, connection: Connection): Shown {
  readChanges(tool, connection)
  // Without what stands there: there may be keys in it.
  const files = listFiles(tool, connection).map((file) => {
    return { path: file.path, text: file.change('') }
  })
  const texts = files.map(
    ({ path: at, text }) => `${at}\n\n${text.trimEnd().replace(/^/gm, '    ')}`,
  )
  const end =
    'Nothing was written: with --write this is, with the key of WEIR_KEY. What else is there stays.'
  const text = [...texts, ...listAdvice(tool, connection), end].join('\n\n')
  return { json: { tool: tool.title, files, written: false }, text }
}

function write(tool: ConnectedTool, connection: Connection): Shown {
  const changes = readChanges(tool, connection)
  for (const { path: at, before, after } of changes) {
    mkdirSync(path.dirname(at), { recursive: true })
    // The copy of the first time is what --undo puts back. Empty: there was no file.
    if (!existsSync(copyOf(at))) writeFileSync(copyOf(at), before, { mode: 0o600 })
    const fresh = `${at}.weir-new`
    writeFileSync(fresh, after, { mode: 0o600 })
    renameSync(fresh, at)
  }
  const paths = changes.map(({ path: at }) => at)
  const lines = paths.map((at) => `Wrote ${at}; what was there is in ${copyOf(at)}.`)
  const text = [lines.join('\n'), ...listAdvice(tool, connection)].join('\n\n')
  return { json: { tool: tool.title, files: paths, written: true }, text }
}

function listAdvice({ variable, exports }: ConnectedTool, connection: Connection): string[] {
  const own = Object.entries(exports?.(connection) ?? {})
  const lines = own.map(([name]) => `Set ${name} to the Weir key in the shell as well.`)
  if (!connection.isStored) lines.push(`${variable} stays your own key at the provider.`)
  return lines.length === 0 ? [] : [lines.join('\n')]
}

/** What is there now is not lost: somebody may have changed more in it. */
function undo(tool: ConnectedTool, files: readonly ToolFile[]): Shown {
  const written = files.map((file) => file.path).filter((at) => existsSync(copyOf(at)))
  if (written.length === 0) {
    throw refused(`${tool.title} was not set up by weir connect.`, 'There is nothing to undo.')
  }
  const lines = written.map((at) => {
    const before = readFileSync(copyOf(at), 'utf8')
    if (existsSync(at)) renameSync(at, `${at}.with-weir`)
    if (before !== '') writeFileSync(at, before, { mode: 0o600 })
    rmSync(copyOf(at))
    return `${before === '' ? 'Removed' : 'Put back'} ${at}; what was there is in ${at}.with-weir.`
  })
  return { json: { tool: tool.title, files: written, undone: true }, text: lines.join('\n') }
}

function copyOf(at: string): string {
  return `${at}.before-weir`
}
