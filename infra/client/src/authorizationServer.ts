import * as oauth from 'oauth4webapi'
import { apiErrorOf } from './apiErrorOf.ts'
import type { Fetch } from './connect.ts'
import { repeat } from './repeat.ts'
import type { Tokens } from './tokenStore.ts'

export interface AuthorizationServerOptions {
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
  readonly fetch: Fetch
}

/** The OAuth endpoints, as this client calls them: public, with PKCE. Each throws as any call does. */
export interface AuthorizationServer {
  readonly metadata: () => Promise<oauth.AuthorizationServer>
  readonly client: oauth.Client
  /**
   * The parameters of the redirect, after `state` and `iss` are checked.
   * @throws an `oauth.AuthorizationResponseError` if the sign-in was refused
   */
  readonly checkReturn: (url: URL, state: string) => Promise<URLSearchParams>
  readonly exchange: (parameters: URLSearchParams, codeVerifier: string) => Promise<Tokens>
  readonly refresh: (refreshToken: string) => Promise<Tokens>
  readonly beginDevice: (scope: string | undefined) => Promise<oauth.DeviceAuthorizationResponse>
  /** The tokens, once the user has allowed it; until then an `ApiError` `authorization_pending` or `slow_down`. */
  readonly pollDevice: (deviceCode: string) => Promise<Tokens>
  readonly revoke: (refreshToken: string) => Promise<void>
}

type Sent = URLSearchParams | undefined

/** The metadata is read at the first use, and kept. */
export function authorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const { issuer, clientId, redirectUri, fetch } = options
  const client: oauth.Client = { client_id: clientId }
  const none = oauth.None()
  const request = {
    [oauth.customFetch]: (url: string, { body, signal, ...init }: oauth.CustomFetchOptions<string, Sent>) =>
      fetch(url, { ...init, ...(body != null && { body }), ...(signal && { signal }) }),
    [oauth.allowInsecureRequests]: isLoopback(issuer),
  }
  let reading: Promise<oauth.AuthorizationServer> | undefined

  async function read(): Promise<oauth.AuthorizationServer> {
    const response = await repeatable(() => oauth.discoveryRequest(new URL(issuer), request))
    return oauth.processDiscoveryResponse(new URL(issuer), response)
  }

  function metadata(): Promise<oauth.AuthorizationServer> {
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }

  return {
    metadata,
    client,
    checkReturn: async (url, state) => oauth.validateAuthResponse(await metadata(), client, url, state),
    async exchange(parameters, codeVerifier) {
      const server = await metadata()
      // A code works once. If you repeat an exchange after a lost answer, the server revokes the tokens that it issued.
      const response = await accepted(
        oauth.authorizationCodeGrantRequest(server, client, none, parameters, redirectUri, codeVerifier, request),
      )
      return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, response))
    },
    async refresh(refreshToken) {
      const server = await metadata()
      const response = await repeatable(() =>
        oauth.refreshTokenGrantRequest(server, client, none, refreshToken, request),
      )
      return tokensOf(await oauth.processRefreshTokenResponse(server, client, response))
    },
    async beginDevice(scope) {
      const server = await metadata()
      const asked = { ...(scope !== undefined && { scope }) }
      const response = await accepted(oauth.deviceAuthorizationRequest(server, client, none, asked, request))
      return oauth.processDeviceAuthorizationResponse(server, client, response)
    },
    async pollDevice(deviceCode) {
      const server = await metadata()
      // Not repeated: the device polls anyway, and a device code gives tokens once.
      const response = await accepted(oauth.deviceCodeGrantRequest(server, client, none, deviceCode, request))
      return tokensOf(await oauth.processDeviceCodeResponse(server, client, response))
    },
    async revoke(refreshToken) {
      const server = await metadata()
      await repeatable(() => oauth.revocationRequest(server, client, none, refreshToken, request))
    },
  }
}

function repeatable(send: () => Promise<Response>): Promise<Response> {
  return repeat(() => accepted(send()), { isRepeatable: true })
}

async function accepted(sent: Promise<Response>): Promise<Response> {
  const response = await sent
  if (response.ok) return response
  throw apiErrorOf(response, await response.json().catch(() => undefined))
}

function tokensOf(answer: oauth.TokenEndpointResponse): Tokens {
  const { access_token, expires_in = 0, refresh_token, id_token } = answer
  return {
    accessToken: access_token,
    expiresAt: Date.now() + expires_in * 1000,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(id_token !== undefined && { idToken: id_token }),
  }
}

/** The local stack speaks HTTP; everything else must not. */
function isLoopback(issuer: string): boolean {
  return ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(issuer).hostname)
}
