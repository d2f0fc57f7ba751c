// The advisory locks of Weir in a database, one for each kind of change that is serialized. They
// last until a transaction ends, never longer.

export const LOCKS = {
  settings: 0x77_65_69_01,
  usage: 0x77_65_69_02,
  limits: 0x77_65_69_03,
} as const
