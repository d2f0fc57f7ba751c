// A store of which a scoped caller has these methods alone. Must stay true: what has no view
// through a sight is refused, also what is added to the store one day.

import { WeirError } from '../../core/weir-error.ts'

export function companyOnly(): WeirError {
  return new WeirError('scope_denied', 'This is about the whole company, and you see single teams.')
}

export function onlyWith<Store extends object>(seen: Partial<NoInfer<Store>>): Store {
  return new Proxy(seen, {
    get(target, name) {
      // A promise that resolves to it asks whether it is one, too.
      if (Reflect.has(target, name) || typeof name === 'symbol' || name === 'then') {
        return Reflect.get(target, name) as unknown
      }
      return () => Promise.reject(companyOnly())
    },
  }) as Store
}
