// Sends a test alert to targets and shows the outcome for each.

import type { TestOutcome } from '../../api/contract.ts'
import type { Api } from '../api.ts'
import type { Shown } from '../command.ts'
import { cutCell, formatRows } from '../table.ts'
import type { NewTarget } from './new-targets.ts'

export type TestedTarget = NewTarget & TestOutcome

export function testTargets(
  api: Api,
  targets: readonly (NewTarget & { readonly id: string })[],
): Promise<readonly TestedTarget[]> {
  return Promise.all(
    targets.map(async ({ id, kind, address }) => {
      const path = `POST /v1/targets/${id}/test` as const
      const { delivered, detail } = await api.send<TestOutcome>(path)
      return { target_id: id, kind, address, delivered, detail }
    }),
  )
}

/** The exit code is 1 where one was not delivered. */
export function showTested(tested: readonly TestedTarget[], json: unknown): Shown {
  const text = formatRows(tested, {
    TARGET: (each) => each.target_id,
    KIND: ({ kind }) => kind,
    ADDRESS: ({ address }) => cutCell(address),
    RESULT: ({ delivered }) => (delivered ? 'delivered' : 'failed'),
    ANSWER: ({ detail }) => detail,
  })
  return { json, text, code: tested.every(({ delivered }) => delivered) ? 0 : 1 }
}
