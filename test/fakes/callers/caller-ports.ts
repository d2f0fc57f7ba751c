// Which callers are connected to which worker, from /proc: the workers share one port, so only the
// kernel can tell.

import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** For `skip`: false where the kernel shows its connections. */
export const NEEDS_PROC = existsSync('/proc/net/tcp')
  ? false
  : 'needs /proc, to see which worker has which connection'

/** The callers' ends of the connections to `port` that the process has accepted. */
export function findCallerPorts(pid: number, port: number): Set<number> {
  const inodes = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => readSocketInode(pid, fd)))
  const found = new Set<number>()
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', , , , , , , inode = ''] = line.trim().split(/\s+/)
    if (toPort(local) === port && toPort(remote) !== 0 && inodes.has(inode)) {
      found.add(toPort(remote))
    }
  }
  return found
}

function readSocketInode(pid: number, fd: string): string | null {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? null
  } catch {
    // It was closed while we looked.
    return null
  }
}

/** `0100007F:1F90`, in hexadecimal. */
function toPort(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16)
}
