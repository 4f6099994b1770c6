import * as z from 'zod/mini'
import { CommonError } from '../../core/errors.ts'
import {
  type AccessTokenVerifier,
  type AnyIdentity,
  type Identity,
  isApiClient,
  isServiceClient,
} from '../../core/identity.ts'
import { newFactorSecondsOf, signInOf } from '../../core/stepUp.ts'
import { OrganizationError } from '../../organizations/errors.ts'
import type { Contract, HttpDeps, HttpEvent, Reader } from '../contract.ts'
import { isReleaseRead } from '../endpoint/releaseCheck.ts'
import { InsufficientScopeError } from '../errors.ts'
import { header } from '../request/request.ts'
import { releaseReaderIdentity } from './releaseReader.ts'

const bearerToken = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** The user of the access token that a request may have; undefined without a valid token of a user. */
export async function userOf(accessTokens: AccessTokenVerifier, event: HttpEvent): Promise<Identity | undefined> {
  const token = bearerToken.exec(header(event, 'authorization')?.trim() ?? '')?.[1]
  const identity = token === undefined ? null : await accessTokens.verify(token)
  return identity === null || isApiClient(identity) || isServiceClient(identity) ? undefined : identity
}

/**
 * Middleware: the caller's identity from `Authorization: Bearer`, the only place a token is taken from (RFC 6750 §2.1).
 * Throws CommonError `unauthorized` if no bearer token was sent, `invalid_token` if it is not a single valid token. Whether
 * its grant is live is read with the operation's first read. When a version is checked before traffic, the stage's reader instead.
 */
export function authenticate(
  contract: Pick<Contract, 'scope'>,
  deps: Pick<HttpDeps, 'accessTokens' | 'releaseReader' | 'clock'>,
): Reader {
  const { accessTokens } = deps
  return {
    async before(request) {
      const reader = readerOf(request.event, contract, deps)
      if (reader !== undefined) {
        request.event.identity = reader
        return
      }
      const authorization = header(request.event, 'authorization')?.trim() ?? ''
      if (!/^bearer(\s|$)/i.test(authorization)) throw new CommonError('unauthorized')
      const token = bearerToken.exec(authorization)?.[1]
      const identity = token === undefined ? null : await accessTokens.verify(token)
      if (identity === null) throw new CommonError('invalid_token')
      request.event.identity = identity
    },
  }
}

/** The identity of the stage's reader; undefined unless the event is the check of a release and the function has a reader. */
function readerOf(
  event: HttpEvent,
  contract: Pick<Contract, 'scope'>,
  { releaseReader, clock }: Pick<HttpDeps, 'releaseReader' | 'clock'>,
): AnyIdentity | undefined {
  if (releaseReader === undefined || !isReleaseRead(event)) return undefined
  return releaseReaderIdentity(releaseReader, contract, clock)
}

/**
 * Middleware, and the only place that checks scopes: an operator's own client acts with all of its user's rights, whatever scope it asked
 * for; any other calls only operations that name a scope, with a token that was granted all of it.
 * A service client only calls operations that read an organization.
 * Throws InsufficientScopeError; OrganizationError `forbidden` if a service client was granted the scope of an operation that it may not call.
 * Makes no call.
 */
export function requireScope({ scope, forServiceClients }: Pick<Contract, 'scope' | 'forServiceClients'>): Reader {
  return {
    before({ event: { identity } }) {
      if (identity === undefined) throw new CommonError('unauthorized')
      if (identity.isFirstParty) return
      const granted = new Set(identity.scope.split(' '))
      const isGranted = scope?.split(' ').every((wanted) => granted.has(wanted)) ?? false
      if (!isGranted) throw new InsufficientScopeError(scope)
      if (isServiceClient(identity) && !forServiceClients)
        throw new OrganizationError('forbidden', { message: 'a service client only reads' })
    },
  }
}

const members = z.record(z.string(), z.unknown())

/**
 * The caller of a request, whose sign-in is checked if the contract requires a recent sign-in: with the account, in the operation's first
 * read, because only the account says whether it has a second factor. Only this function decides which requests ask.
 * An API client or a service client has no sign-in: it is refused what requires a recent sign-in, unless that is required `ofUsers`.
 * @param body as validated
 * @param now Unix milliseconds
 * @throws OrganizationError `forbidden`
 */
export function callerOf(
  { recentSignIn, refusesNewFactor }: Pick<Contract, 'recentSignIn' | 'refusesNewFactor'>,
  identity: AnyIdentity,
  body: unknown,
  now: number,
): AnyIdentity {
  if (!asksForRecentSignIn(recentSignIn, body)) return identity
  if (isApiClient(identity) && recentSignIn !== true && recentSignIn?.ofUsers) return identity
  if (isApiClient(identity) || isServiceClient(identity))
    throw new OrganizationError('forbidden', { message: 'a client by itself has no sign-in' })
  const signIn = signInOf(identity.authentication, now)
  const newFactorSeconds = refusesNewFactor && newFactorSecondsOf(identity.authentication, now)
  return { ...identity, signInToCheck: { ...signIn, newFactorSeconds } }
}

function asksForRecentSignIn(asked: Contract['recentSignIn'], body: unknown): boolean {
  if (asked === undefined || asked === true) return asked === true
  const value = members.safeParse(body).data?.[asked.where]
  return value !== undefined && (asked.is === undefined || asked.is === value)
}
