// For what cannot be false. A failed assertion is a bug in Weir, never in its input.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Weir defect: ${message}`)
}
