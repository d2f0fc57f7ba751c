// Two things that happen to a node without an end of a process: its ledger stands still, and its
// data directory is copied and started elsewhere.

import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { CompletenessAnswer } from '../../src/api/contract.ts'
import { until } from './open-cluster.ts'
import type { Cluster } from './open-cluster.ts'
import type { ClusterNode } from './open-node.ts'

interface ListedNode {
  readonly id: string
  readonly fault: string | null
}

/** As a stuck disk would. Nothing continues it: the supervisor ends it. Returns its process. */
export function hangLedger(node: ClusterNode): number {
  const [pid] = node.pids('weir ledger')
  if (pid === undefined) throw new Error(`${node.name} has no ledger`)
  process.kill(pid, 'SIGSTOP')
  return pid
}

/** Until everything says so that has to, and what waits is counted although it is not read. */
export async function checkHungLedger(cluster: Cluster, node: ClusterNode): Promise<void> {
  const [api] = cluster.apis.filter((each) => each.isRunning())
  if (api === undefined) throw new Error('no API runs')
  const isNamed = (text: string | null): boolean =>
    text?.includes('ledger process has not') ?? false
  const read = async (): Promise<string> => (await fetch(`${node.statusUrl}/readyz`)).text()
  await until(read, isNamed)
  await until(
    () => cluster.json<{ nodes: ListedNode[] }>('nodes'),
    ({ nodes }) => nodes.some(({ fault }) => isNamed(fault)),
  )
  await until(
    () => cluster.ask<CompletenessAnswer>(api, '/v1/completeness'),
    ({ nodes, is_complete: isComplete }) =>
      !isComplete && nodes.some(({ silent, pending }) => silent && pending > 0),
  )
  const answer = await fetch(`${api.url}/v1/overview`, {
    headers: { authorization: `Bearer ${cluster.token}` },
  })
  if (!answer.headers.has('weir-silent-nodes')) throw new Error('no figure names the node')
}

/** Returns what the copy says when it refuses; fails where it starts. */
export async function startCopy(cluster: Cluster, node: ClusterNode): Promise<string> {
  const dataDir = join(cluster.root, `copy-of-${node.name}`)
  copyRunning(node.dataDir, dataDir)
  try {
    const { code, err } = await cluster.runProxy(dataDir)
    if (code !== 1) throw new Error(`the copy ended with ${code}: ${err}`)
    return err
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Files come and go while it is copied. */
function copyRunning(from: string, to: string): void {
  for (let tries = 10; ; tries -= 1) {
    try {
      return cpSync(from, to, { recursive: true, force: true })
    } catch (error) {
      if (tries === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
