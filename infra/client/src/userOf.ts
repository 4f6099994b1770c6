import { decodeJwt } from 'jose'
import type { Tokens } from './tokenStore.ts'

/** Whose tokens they are. */
export interface TokenUser {
  /** The subject; undefined if the access token is no JWT. */
  readonly id: string | undefined
  /** To show to a person; undefined if the sign-in's scopes gave neither a username nor an address. */
  readonly name: string | undefined
}

/** Reads which user the tokens belong to. It compares users; the server checks the tokens. */
export function userOf({ accessToken, idToken }: Tokens): TokenUser {
  const { preferred_username: username, email } = claimsOf(idToken)
  return { id: claimsOf(accessToken).sub, name: [username, email].find((name) => typeof name === 'string') }
}

function claimsOf(token = ''): ReturnType<typeof decodeJwt<Record<string, unknown>>> {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}
