// Statements on one connection, sent without waiting for the answers in between: a batch under the
// store's lock then takes one round trip instead of a dozen. No COPY may run meanwhile: the driver
// cannot send it together with others.

import type { PoolClient } from 'pg'

/** From here on; the connection is given back as it was. */
export function sendTogether(client: PoolClient, isTogether: boolean): void {
  // An option of the constructor in the driver's types, and looked at before every statement.
  ;(client as { pipeline: boolean }).pipeline = isTogether
}
