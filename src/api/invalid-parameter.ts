// What is wrong with a parameter. Apart from what parses them: threads that answer need no schemas.

import { WeirError } from '../core/weir-error.ts'

export function invalidParameter(message: string): WeirError {
  return new WeirError('invalid_parameter', message)
}

export function foreignCursor(): WeirError {
  return invalidParameter(
    'Parameter cursor belongs to another query: send it with the parameters of the page it came from.',
  )
}
