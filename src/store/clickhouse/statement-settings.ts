// What Weir sends with every statement, whatever the profile of its user says. Must stay true: an
// insert that was acknowledged is written, on as many replicas as there must be, and seen by every
// later read; an answer is whole, or an error.

import type { ClickHouseSettings } from '@clickhouse/client'

/** All calls, for their sums; whoever reads them takes its time. */
export const LONG_SECONDS_MAX = 1800
/** A connection that is silent for longer than a statement may take is given up. */
const PROGRESS_MS = 20_000

// With 'break' the server gives what it has by then, as if that were all.
const WHOLE: ClickHouseSettings = {
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  limit: '0',
  offset: '0',
  // Rows that were removed stay so.
  apply_deleted_mask: 1,
  session_timezone: 'UTC',
}

/** Every replica that answers has every insert that was acknowledged. */
export const READ: ClickHouseSettings = {
  ...WHOLE,
  // The server stops when whoever asked has left; it does so for reading only.
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
  select_sequential_consistency: '1',
  output_format_json_quote_64bit_integers: 0,
  join_use_nulls: 0,
  // The first rows in the order on the disk are found without beginning every part.
  read_in_order_use_virtual_row: 1,
}

// An insert is one that waits. Equal rows in two batches are meant, so nothing is left out as a
// repeat, and a row that cannot be read fails the insert. A batch may have calls of many months.
export const WRITE: ClickHouseSettings = {
  async_insert: 0,
  wait_for_async_insert: 1,
  insert_deduplicate: 0,
  insert_quorum: 'auto',
  // With parallel ones, a read could not know which replica has them all.
  insert_quorum_parallel: 0,
  insert_distributed_sync: 1,
  max_partitions_per_insert_block: '1000',
  input_format_allow_errors_num: '0',
  input_format_allow_errors_ratio: 0,
  input_format_null_as_default: 0,
}

export const LONG_WRITE: ClickHouseSettings = {
  ...WHOLE,
  ...WRITE,
  select_sequential_consistency: '1',
  max_execution_time: LONG_SECONDS_MAX,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: String(PROGRESS_MS),
}

// A removal is waited for on the server that answers: a replica that is away follows when it is
// back. A month of calls may be of any size.
export const CHANGE: ClickHouseSettings = {
  lightweight_deletes_sync: '1',
  max_partition_size_to_drop: '0',
}
