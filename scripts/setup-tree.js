// What npm has installed, against what package.json and the lock file ask for.

import * as fs from 'node:fs'
import path from 'node:path'

const NOTES = path.join('node_modules', '.package-lock.json')

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

export function pinnedNodeVersion(root) {
  return readJson(path.join(root, 'package.json')).devDependencies?.node
}

/** True when what npm noted down of node_modules is what the lock file and package.json ask for. */
export function isTreeInstalled(root) {
  const { dependencies = {}, devDependencies = {} } = readJson(path.join(root, 'package.json'))
  const { packages: wanted = {} } = readJson(path.join(root, 'package-lock.json'))
  const { packages: found = {} } = readJson(path.join(root, NOTES))
  const locked = { ...wanted['']?.dependencies, ...wanted['']?.devDependencies }
  const declared = Object.entries({ ...dependencies, ...devDependencies })
  if (declared.some(([name, version]) => locked[name] !== version)) return false
  return Object.entries(wanted).every(([key, { version, optional }]) => {
    if (key === '') return true
    // Optional packages are those of other platforms as a rule.
    return found[key]?.version === version || (optional && found[key] === undefined)
  })
}
