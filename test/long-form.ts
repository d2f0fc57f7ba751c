// Whether tests run in their long form, which `npm run test:slow` asks for: more kills, more
// examples of a property, whole clusters, every PostgreSQL of the machine. `npm test` has a short
// form of each. Nothing else may ask for it, so that both forms are found from here.

export const isLongForm = process.env['WEIR_TEST_LONG'] === '1'

/** How many, how long or which of them. */
export function byForm<Value>(short: Value, long: Value): Value {
  return isLongForm ? long : short
}

/** For `skip`, where the short form is another test. */
export const LONG_ONLY = isLongForm ? false : 'a long form: npm run test:slow'
