// The version of Weir before this one: the program as it was at its tag, in a folder of its own.
// What an upgrade means is tried with it. It shares node_modules with this version. The repository
// is only read.

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** To be changed after each release: see CONTRIBUTING.md. */
const BEFORE = {
  version: '0.1.0',
  tag: 'v0.1.0',
  /** The tag's, for clones that were made without tags. */
  commit: 'a00134355fd3e6ed9c06ce67b6c44e5b7364abdd',
}
const PARTS = ['src', 'bin', 'package.json']
const ARCHIVE_BYTES_MAX = 256 * 1024 * 1024

export interface VersionBefore {
  readonly version: string
  /** Its program. */
  readonly weir: string
}

/** Below `root`, which whoever made it removes. */
export function checkOutVersionBefore(root: string): VersionBefore {
  const folder = join(root, `weir-${BEFORE.version}`)
  mkdirSync(folder)
  // An archive, not a checkout: that would write to the repository.
  const archive = git('archive', findRevision(), ...PARTS)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return { version: BEFORE.version, weir: join(folder, 'bin', 'weir') }
}

function findRevision(): string {
  const { tag, commit, version } = BEFORE
  let cause: unknown
  for (const revision of [`refs/tags/${tag}`, commit]) {
    try {
      git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`)
      return revision
    } catch (error) {
      // A clone may lack either.
      cause = error
    }
  }
  throw new Error(
    `Weir ${version} is not in this repository: neither the tag ${tag} nor the commit ${commit}. ` +
      'Run git fetch --unshallow --tags; a copy without .git has to be replaced by a clone.',
    { cause },
  )
}

function git(...words: string[]): Buffer {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const options = { cwd: ROOT, maxBuffer: ARCHIVE_BYTES_MAX, stdio: [...stdio] }
  return execFileSync('git', words, options)
}
