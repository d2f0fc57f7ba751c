// Where alerts are sent to.

import type { AlertTarget, TargetKind } from '../../core/alert.ts'

export const TARGETS_MAX = 1000

export interface NewTarget {
  readonly kind: TargetKind
  readonly address: string
}

export interface TargetStore {
  /** A webhook gets a signing secret here. */
  create(target: NewTarget & { readonly budgetId: string | null }): Promise<AlertTarget>
  /** All of them or none. */
  createAll(targets: readonly NewTarget[], budgetId: string | null): Promise<readonly AlertTarget[]>
  list(): Promise<readonly AlertTarget[]>
  find(id: string): Promise<AlertTarget | null>
  /** Gives up its pending deliveries. Null when there is no such target. */
  remove(id: string): Promise<AlertTarget | null>
}
