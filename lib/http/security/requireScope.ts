import { CommonError } from '../../core/errors.ts'
import type { Contract } from '../contract.ts'
import type { Reader } from '../endpoint/pipeline.ts'
import { InsufficientScopeError } from '../errors.ts'

/**
 * Middleware, and the one place that checks scopes: an operator's own client acts with all of its user's rights, whatever scope it asked
 * for; any other calls only operations that name a scope, with a token that was granted all of it.
 * Throws InsufficientScopeError. Makes no call.
 */
export function requireScope({ scope }: Pick<Contract, 'scope'>): Reader {
  return {
    before({ event: { identity } }) {
      if (identity === undefined) throw new CommonError('unauthorized')
      if (identity.isFirstParty) return
      const granted = new Set(identity.scope.split(' '))
      const isGranted = scope?.split(' ').every((wanted) => granted.has(wanted)) ?? false
      if (!isGranted) throw new InsufficientScopeError(scope)
    },
  }
}
