// For what cannot be false. A failed assertion is a defect of Weir, never of its input.

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Weir defect: ${message}`)
}
