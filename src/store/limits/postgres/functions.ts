// Limits in the database's own language: one statement, and so one round trip, for what needs a
// lock and then a look. Must stay true: what is counted is read by another statement than the one
// that waited for the lock. A statement sees the database as it was when it began, so one that
// locks and counts at once would count leases as they were before it waited.

import { LOCKS } from '../../postgres/locks.ts'
import { LEASE_MS, LEASED_PARTS, PERMIT_WINDOW_MS, SLOT_MS } from '../lease-store.ts'

/** A lower figure of what is spent, as after repricing, counts once nobody confirmed the higher. */
const CONFIRMED_MS = 10_000
/** Others wait for a lock for microseconds, or a server is in trouble. */
const LOCK_MS_MAX = 1000

const ms = (value: number): string => `INTERVAL '${value} milliseconds'`

/** The row of the budget is the lock; nodes lock several in the same order. */
const toLeaseBudgets = (afterwards: string): string => `
CREATE OR REPLACE FUNCTION weir_lease_budgets(me TEXT, number BIGINT, asked JSONB)
RETURNS TABLE (budget TEXT, span BIGINT, leased NUMERIC)
LANGUAGE plpgsql SET lock_timeout = ${LOCK_MS_MAX} AS $$
DECLARE
  ask RECORD;
  pool limit_budgets;
  others NUMERIC;
  mine budget_leases;
  free NUMERIC;
  more NUMERIC;
BEGIN
  UPDATE limit_owners SET beat_at = clock_timestamp() WHERE owner = me;
  IF NOT FOUND THEN RETURN; END IF;
  FOR ask IN SELECT * FROM jsonb_to_recordset(asked) AS a(id TEXT, start_ms BIGINT, end_ms BIGINT,
      most NUMERIC, spent NUMERIC, keep NUMERIC, need NUMERIC, once NUMERIC, active BOOLEAN,
      running BIGINT, reserved NUMERIC, ended NUMERIC) ORDER BY a.id, a.start_ms LOOP
    INSERT INTO limit_budgets VALUES (ask.id, ask.start_ms, ask.end_ms, 0, clock_timestamp())
      ON CONFLICT DO NOTHING;
    SELECT * INTO pool FROM limit_budgets
      WHERE budget_id = ask.id AND start_ms = ask.start_ms FOR UPDATE;
    SELECT * INTO mine FROM budget_leases
      WHERE budget_id = ask.id AND start_ms = ask.start_ms AND owner = me;
    CONTINUE WHEN mine.sequence >= number;
    IF ask.spent >= pool.spent
        OR ask.spent < pool.spent AND pool.confirmed_at < clock_timestamp() - ${ms(CONFIRMED_MS)} THEN
      pool.spent := ask.spent;
      UPDATE limit_budgets SET spent = ask.spent, confirmed_at = clock_timestamp()
        WHERE budget_id = ask.id AND start_ms = ask.start_ms;
    END IF;
    SELECT coalesce(sum(l.amount), 0) INTO others
      FROM budget_leases l JOIN limit_owners o ON o.owner = l.owner
      WHERE l.budget_id = ask.id AND l.start_ms = ask.start_ms AND l.owner <> me
        AND o.beat_at > clock_timestamp() - ${ms(LEASE_MS)};
    free := ask.most - pool.spent - others - ask.keep;
    more := 0;
    IF free > 0 THEN
      more := ask.need;
      IF ask.active THEN
        -- What it keeps unused counts as leased ahead already.
        more := greatest(more,
          div(free + ask.keep - ask.reserved, ${LEASED_PARTS}) - (ask.keep - ask.reserved));
      END IF;
      -- As on one machine, a call passes while anything is free, though it may cost more.
      more := least(more, greatest(free, ask.once));
    END IF;${afterwards}
    INSERT INTO budget_leases VALUES (ask.id, ask.start_ms, me, ask.keep + more, ask.reserved,
        ask.ended, ask.running, number)
      ON CONFLICT (budget_id, start_ms, owner) DO UPDATE SET amount = excluded.amount,
        reserved = excluded.reserved, ended = excluded.ended, running = excluded.running, sequence = excluded.sequence;
    budget := ask.id;
    span := ask.start_ms;
    leased := ask.keep + more;
    RETURN NEXT;
  END LOOP;
END $$;
`

const NOTE_FULLY_LEASED = `
    IF free <= more AND coalesce(pool.fully_leased_limit < ask.most, TRUE) THEN
      UPDATE limit_budgets SET fully_leased_limit = ask.most
        WHERE budget_id = ask.id AND start_ms = ask.start_ms;
    END IF;`

const TAKE_PERMITS = `
CREATE FUNCTION weir_take_permits(me TEXT, asked JSONB)
RETURNS TABLE (api_key TEXT, granted BIGINT, wait_ms BIGINT)
LANGUAGE plpgsql SET lock_timeout = ${LOCK_MS_MAX} AS $$
DECLARE
  ask RECORD;
  taken BIGINT;
  free BIGINT;
  frees_at TIMESTAMPTZ;
BEGIN
  -- A crash of the server may lose the last half second of it, which is not worth a wait a call.
  PERFORM set_config('synchronous_commit', 'off', true);
  FOR ask IN SELECT * FROM jsonb_to_recordset(asked) AS a(key TEXT, rpm BIGINT, need BIGINT,
      batch BIGINT, used JSONB) ORDER BY hashtext(a.key), a.key LOOP
    PERFORM pg_advisory_xact_lock(${LOCKS.limits}, hashtext(ask.key));
    UPDATE rate_permits p SET permits = least(p.permits, u.calls)
      FROM jsonb_to_recordset(ask.used) AS u(batch BIGINT, calls BIGINT)
      WHERE p.key_id = ask.key AND p.owner = me AND p.batch = u.batch;
    DELETE FROM rate_permits WHERE key_id = ask.key
      AND (permits = 0 OR taken_at <= clock_timestamp() - ${ms(PERMIT_WINDOW_MS)});
    CONTINUE WHEN ask.need = 0;
    SELECT coalesce(sum(permits), 0) INTO taken FROM rate_permits WHERE key_id = ask.key;
    free := ask.rpm - taken;
    api_key := ask.key;
    granted := greatest(0, least(free, greatest(ask.need, div(free, ${LEASED_PARTS}))));
    wait_ms := 0;
    IF granted > 0 THEN
      INSERT INTO rate_permits VALUES (ask.key, me, ask.batch, granted, clock_timestamp());
    END IF;
    IF granted < ask.need THEN
      -- A lowered limit may be overdrawn: then more than the oldest has to leave the window.
      SELECT min(left_at) INTO frees_at FROM (
        SELECT taken_at AS left_at, sum(permits) OVER (ORDER BY taken_at, owner, batch) AS gone
          FROM rate_permits WHERE key_id = ask.key) AS leaving
        WHERE gone > taken + granted - ask.rpm;
      wait_ms := ceil(extract(epoch FROM coalesce(frees_at, clock_timestamp())
        + ${ms(PERMIT_WINDOW_MS)} - clock_timestamp()) * 1000);
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
`

const TAKE_SLOTS = `
CREATE FUNCTION weir_take_slots(me TEXT, asked JSONB, released JSONB)
RETURNS TABLE (id TEXT)
LANGUAGE plpgsql SET lock_timeout = ${LOCK_MS_MAX} AS $$
DECLARE
  ask RECORD;
  taken BIGINT;
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  DELETE FROM call_slots WHERE call_id IN (SELECT jsonb_array_elements_text(released));
  IF NOT EXISTS (SELECT FROM limit_owners WHERE owner = me) THEN
    RETURN NEXT;
    RETURN;
  END IF;
  FOR ask IN SELECT * FROM jsonb_to_recordset(asked) AS a(call TEXT, key TEXT, most BIGINT,
      place BIGINT) ORDER BY hashtext(a.key), a.key, a.place LOOP
    PERFORM pg_advisory_xact_lock(${LOCKS.limits}, hashtext(ask.key));
    SELECT count(*) INTO taken FROM call_slots s JOIN limit_owners o ON o.owner = s.owner
      WHERE s.key_id = ask.key AND s.call_id <> ask.call
        AND (s.owner = me OR o.beat_at > clock_timestamp() - ${ms(SLOT_MS)});
    CONTINUE WHEN taken >= ask.most;
    INSERT INTO call_slots VALUES (ask.call, ask.key, me, clock_timestamp())
      ON CONFLICT DO NOTHING;
    id := ask.call;
    RETURN NEXT;
  END LOOP;
END $$;
`

export const FUNCTIONS = toLeaseBudgets('') + TAKE_PERMITS + TAKE_SLOTS
/** Of the second version. */
export const LEASE_BUDGETS = toLeaseBudgets(NOTE_FULLY_LEASED)
