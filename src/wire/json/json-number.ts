// The grammar of a JSON number (RFC 8259 §6), byte by byte. Its value does not matter here.

export type NumberPart =
  | 'sign'
  | 'zero'
  | 'digits'
  | 'point'
  | 'fraction'
  | 'exponent'
  | 'exponent-sign'
  | 'power'

const ZERO = 0x30
const MINUS = 0x2d

/** Null where the byte cannot start a number. */
export function startNumber(byte: number): NumberPart | null {
  return byte === MINUS ? 'sign' : stepNumber('sign', byte)
}

/** Null where the byte does not continue the number. */
export function stepNumber(part: NumberPart, byte: number): NumberPart | null {
  switch (part) {
    case 'sign':
      return byte === ZERO ? 'zero' : isDigit(byte) ? 'digits' : null
    case 'digits':
      return isDigit(byte) ? 'digits' : stepNumber('zero', byte)
    case 'zero':
      return byte === 0x2e ? 'point' : isExponent(byte) ? 'exponent' : null
    case 'point':
      return isDigit(byte) ? 'fraction' : null
    case 'fraction':
      return isDigit(byte) ? 'fraction' : isExponent(byte) ? 'exponent' : null
    case 'exponent':
      return byte === 0x2b || byte === MINUS ? 'exponent-sign' : isDigit(byte) ? 'power' : null
    case 'exponent-sign':
    case 'power':
      return isDigit(byte) ? 'power' : null
  }
}

export function isNumberEnd(part: NumberPart): boolean {
  return part === 'digits' || part === 'zero' || part === 'fraction' || part === 'power'
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45
}
