// What npm has installed, against what package.json and the lock file ask for. A production install
// leaves out what only development needs.

import * as fs from 'node:fs'
import path from 'node:path'

const NOTES = path.join('node_modules', '.package-lock.json')
// Lies in node_modules, so that it goes with the install that it is about.
const PRODUCTION_MARK = path.join('node_modules', '.weir-production')

export function readText(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
}

/**
 * A file that is missing, half written or full of conflict marks counts as empty: npm will say
 * more.
 */
function readJson(file) {
  try {
    return JSON.parse(readText(file))
  } catch {
    return {}
  }
}

/** `production` or `development`. */
export function readMode(root) {
  return fs.existsSync(path.join(root, PRODUCTION_MARK)) ? 'production' : 'development'
}

export function writeMode(root, mode) {
  const mark = path.join(root, PRODUCTION_MARK)
  if (mode === 'production') fs.writeFileSync(mark, '')
  else fs.rmSync(mark, { force: true })
}

export function pinnedNodeVersion(root) {
  return readJson(path.join(root, 'package.json')).dependencies?.node
}

/** True when what npm noted down of node_modules is what the lock file and package.json ask for. */
export function isTreeInstalled(root, mode) {
  const { dependencies = {}, devDependencies = {} } = readJson(path.join(root, 'package.json'))
  const { packages: wanted = {} } = readJson(path.join(root, 'package-lock.json'))
  const { packages: found = {} } = readJson(path.join(root, NOTES))
  const locked = { ...wanted['']?.dependencies, ...wanted['']?.devDependencies }
  const declared = Object.entries({ ...dependencies, ...devDependencies })
  if (declared.some(([name, version]) => locked[name] !== version)) return false
  return Object.entries(wanted).every(([key, { version, optional, dev, devOptional }]) => {
    if (key === '') return true
    if (mode === 'production' && (dev || devOptional)) return found[key] === undefined
    // Optional packages are those of other platforms as a rule.
    return found[key]?.version === version || (optional && found[key] === undefined)
  })
}
