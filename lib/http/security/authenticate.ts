import { CommonError } from '../../core/errors.ts'
import type { AccessTokenVerifier } from '../../core/identity.ts'
import type { Reader } from '../endpoint/pipeline.ts'
import { header } from '../request/request.ts'

/**
 * Middleware: the caller's identity from `Authorization: Bearer`, the only place a token is taken from (RFC 6750 §2.1).
 * Throws CommonError `unauthorized` where no bearer token was sent, `invalid_token` where it is not one valid token. Whether
 * its grant is live is read with the operation's first read.
 */
export function authenticate(accessTokens: AccessTokenVerifier): Reader {
  return {
    async before(request) {
      const authorization = header(request.event, 'authorization')?.trim() ?? ''
      if (!/^bearer(\s|$)/i.test(authorization)) throw new CommonError('unauthorized')
      const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization)?.[1]
      const identity = token === undefined ? null : await accessTokens.verify(token)
      if (identity === null) throw new CommonError('invalid_token')
      request.event.identity = identity
    },
  }
}
