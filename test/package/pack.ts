// The package as its users get it: npm pack in this checkout, and an install of the tarball in an
// empty folder, by the README's first command. npm has an empty cache and no network there, and
// nothing but Node is on the PATH, so the tarball has to bring it all.

import { execFile, execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { TOP_FOLDER } from '../tidy/checkout.ts'

const run = promisify(execFile)
const BLOCK = /^## From the package$[^]*?^```sh\n([^]*?)^```$/m

export interface InstalledPackage {
  /** Where it was installed: the folder of somebody's own project. */
  readonly folder: string
  /** The package itself, below that. */
  readonly root: string
  /** Node, npm and npx are all that its PATH leads to. */
  readonly env: NodeJS.ProcessEnv
  readonly tarballBytes: number
  readonly installedBytes: number
  close(): void
}

/** On a Node of its own choice; this checkout's makes the tarball. */
export async function installPackage(node: string): Promise<InstalledPackage> {
  const top = fs.mkdtempSync(path.join(tmpdir(), 'weir-package-'))
  const folder = path.join(top, 'project')
  fs.mkdirSync(folder)
  await run('npm', ['pack', '--pack-destination', folder], { cwd: TOP_FOLDER })
  const env = { PATH: linkNode(top, node), HOME: top, npm_config_offline: 'true' }
  const [install = ''] = readCommands()
  await run('/bin/sh', ['-c', install], { cwd: folder, env })
  const root = path.join(folder, 'node_modules', 'weir')
  const tarball = fs.readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  return {
    folder,
    root,
    env,
    tarballBytes: fs.statSync(path.join(folder, tarball)).size,
    installedBytes: listFiles(root).reduce((sum, file) => sum + fs.statSync(file).size, 0),
    close: () => fs.rmSync(top, { recursive: true, force: true }),
  }
}

/** A folder with nothing else. npm and npx are those of this run. */
function linkNode(top: string, node: string): string {
  const bin = path.join(top, 'bin')
  fs.mkdirSync(bin)
  const npm = fs.realpathSync(
    execFileSync('/bin/sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim(),
  )
  fs.symlinkSync(node, path.join(bin, 'node'))
  fs.symlinkSync(npm, path.join(bin, 'npm'))
  fs.symlinkSync(path.join(path.dirname(npm), 'npx-cli.js'), path.join(bin, 'npx'))
  return bin
}

/** Of the README. One begins where a line does; the lines within its quotes are indented. */
export function readCommands(): string[] {
  const [, block = ''] =
    BLOCK.exec(fs.readFileSync(path.join(TOP_FOLDER, 'README.md'), 'utf8')) ?? []
  return block.trimEnd().split(/\n(?=[a-z])/)
}

/** Every file below a folder, links left out. */
export function listFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
