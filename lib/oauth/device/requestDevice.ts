import type { Clock } from '../../core/clock.ts'
import { CommonError } from '../../core/errors.ts'
import type { Ids } from '../../core/ids.ts'
import { authenticateClient, type ClientCredentials } from '../client/authenticateClient.ts'
import { requestedScopes } from '../client/requestedScopes.ts'
import { OAuthError } from '../errors.ts'
import { DEVICE_CODE } from '../oauthClient.ts'
import type { DeviceAuthorizations, OAuthClients } from '../ports.ts'
import { digestSecret } from '../secretDigest.ts'
import { digestUserCode, userCodeOf } from './userCode.ts'

/** Long enough to sign in on another machine, with a second factor. Counted from the whole second: a clock that is followed is exact to a second. */
const DEVICE_SECONDS = 900

/** The default of RFC 8628 §3.2. */
const INTERVAL_SECONDS = 5

/** A code is drawn again if another authorization has it: about once in a billion. */
const MAX_DRAWS = 3

export interface RequestDeviceDeps {
  readonly clients: OAuthClients
  readonly devices: Pick<DeviceAuthorizations, 'begin'>
  readonly ids: Ids
  readonly clock: Clock
  readonly issuer: string
}

/** A device authorization request (RFC 8628 §3.1). */
export interface DeviceRequest extends ClientCredentials {
  readonly scope: string | undefined
  /** The network that it came from. */
  readonly sourceIp: string
}

/** RFC 8628 §3.2. There is no `verification_uri_complete`: a link would spare the victim of a phisher the typing (§5.4). */
export interface DeviceCodes {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly expiresInSeconds: number
  readonly intervalSeconds: number
}

/**
 * Begins an authorization of a device: a code for its user to type, and a code for the device to poll with.
 * @throws OAuthError `invalid_client`, `unauthorized_client` or `invalid_scope`; CommonError `service_unavailable`
 */
export async function requestDevice(deps: RequestDeviceDeps, request: DeviceRequest): Promise<DeviceCodes> {
  const client = await authenticateClient(deps.clients, request)
  if (!client.grantTypes.includes(DEVICE_CODE)) throw new OAuthError('unauthorized_client')
  const requested = requestedScopes(client, request.scope)
  if (requested.kind === 'refused') throw new OAuthError('invalid_scope', { message: requested.reason })
  const requestedAt = deps.clock.now()
  const authorization = {
    clientId: client.clientId,
    scope: requested.scopes.join(' '),
    sourceIp: request.sourceIp,
    requestedAt,
    validUntil: Math.floor(requestedAt / 1000) * 1000 + DEVICE_SECONDS * 1000,
    intervalMilliseconds: INTERVAL_SECONDS * 1000,
  }
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const [deviceCode, userCode] = [deps.ids.secret(), userCodeOf(deps.ids.secret())]
    const codes = { device: digestSecret(deviceCode), user: digestUserCode(userCode) }
    if (await deps.devices.begin(codes, authorization))
      return {
        deviceCode,
        userCode,
        verificationUri: new URL('/api/device', deps.issuer).href,
        expiresInSeconds: DEVICE_SECONDS,
        intervalSeconds: INTERVAL_SECONDS,
      }
  }
  throw new CommonError('service_unavailable', { message: 'no free user code' })
}
