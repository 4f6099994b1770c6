import { missingParameter, OAuthError } from '../errors.ts'
import type { OAuthClient } from '../oauthClient.ts'
import type { DeviceAuthorization } from '../ports.ts'
import { digestSecret, type SecretDigest } from '../secretDigest.ts'
import { redeemCode } from './redeemCode.ts'
import type { IssuedTokens, TokenDeps, TokenRequest } from './tokenRequest.ts'

/** How much longer a device must wait after each poll that came too early (RFC 8628 §3.5). */
const SLOW_DOWN_MILLISECONDS = 5000

/** A poll may be this early: a clock that is followed is exact to a second. */
const EARLY_MILLISECONDS = 1000

/**
 * The grant of devices (RFC 8628 §3.4): a device polls until its user has decided. Once it is allowed, its code is redeemed as any code is
 * (`redeemCode`): once, and a second use revokes the tokens of the first. Another client's code is unknown, and polling for it changes
 * nothing.
 * @throws OAuthError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`, `invalid_request` or `invalid_grant`; CommonError
 *   `service_unavailable`
 */
export async function exchangeDeviceCode(
  deps: TokenDeps,
  client: OAuthClient,
  request: TokenRequest,
): Promise<IssuedTokens> {
  if (!request.deviceCode) throw missingParameter('device_code')
  const digest = digestSecret(request.deviceCode)
  const device = await deps.devices.find(digest)
  if (!device) throw new OAuthError('invalid_grant', { message: 'unknown device code' })
  if (device.clientId !== client.clientId)
    throw new OAuthError('invalid_grant', { message: 'device code of another client' })
  if (device.decision === undefined) return refuseWaiting(deps, digest, device)
  if (device.decision === 'denied') throw new OAuthError('access_denied')
  const code = await deps.codes.find(digest)
  if (!code) throw new OAuthError('invalid_grant', { message: 'unknown device code' })
  return redeemCode(deps, client, { digest, code, whenExpired: 'expired_token' })
}

async function refuseWaiting(deps: TokenDeps, digest: SecretDigest, device: DeviceAuthorization): Promise<never> {
  const now = deps.clock.now()
  if (now >= device.validUntil) throw new OAuthError('expired_token')
  const isEarly = isTooEarly(device, now)
  const intervalMilliseconds = device.intervalMilliseconds + (isEarly ? SLOW_DOWN_MILLISECONDS : 0)
  const isNoted = await deps.devices.notePoll(digest, device, { polledAt: now, intervalMilliseconds })
  // If it is not noted, another poll came at the same time, or the user has just decided.
  throw new OAuthError(isNoted && !isEarly ? 'authorization_pending' : 'slow_down')
}

function isTooEarly({ polledAt, intervalMilliseconds }: DeviceAuthorization, now: number): boolean {
  return polledAt !== undefined && now < polledAt + intervalMilliseconds - EARLY_MILLISECONDS
}
