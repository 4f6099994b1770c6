import { byPassword } from '../../../lib/core/authentication.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { issueAuthorizationCode } from '../../../lib/oauth/authorize/issueAuthorizationCode.ts'
import { requestDevice } from '../../../lib/oauth/device/requestDevice.ts'
import { DEVICE_CODE, type GrantType } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { handleTokenRequest } from '../../../lib/oauth/token/handleTokenRequest.ts'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import type { TokenRequest } from '../../../lib/oauth/token/tokenRequest.ts'
import { createTokenWorld, type TokenBeginning, type TokenWorld } from './tokenWorld.ts'

/** One token request, in the world in which it is tried. */
export interface TokenStory {
  name: string
  beginning: TokenBeginning
  request: TokenRequest
  /** The exchange of the code that everything began with. */
  before: TokenRequest
  /** Whether the request names a code or token of its own, with what belongs to it, for a user who may have it. */
  matches: boolean
  /** Whether only its user may not have it any more: then a reuse is one nevertheless. */
  isSwitchedOff: boolean
}

const DAY = 86_400_000
const REDIRECT_URI = 'https://console.example.com/oauth/callback'
const SECRET = 'console-secret_4fJ8sKq2Lw9xTz7Rb1Vn'
const VERIFIER = 'verifier-of-the-authorization-request~0123456789._AB'
const userId = userIdSchema.parse('0e4c7d2a-3b5f-4a8e-9c6d-7f8e9a0b1c2d')
const mine = { clientId: 'console', clientSecret: SECRET }
const theirs = { clientId: 'another', clientSecret: SECRET }

type Prepare = (world: TokenWorld, code: TokenRequest) => Promise<TokenRequest>

/** A request in a family that was revoked after it was prepared. */
async function revokedSince(world: TokenWorld, code: TokenRequest, prepare: Prepare): Promise<TokenRequest> {
  const request = await prepare(world, code)
  await handleTokenRequest(world.deps, code).catch(() => undefined)
  return request
}

async function after(world: TokenWorld, milliseconds: number, prepared: Promise<TokenRequest>): Promise<TokenRequest> {
  const request = await prepared
  world.clock.advance(milliseconds)
  return request
}

/** Requests with what they need, made from the exchange of a code that was just issued. */
const plans: Record<
  string,
  { prepare: Prepare; matches?: false; isSwitchedOff?: true; grantTypes?: readonly GrantType[]; ofOthers?: true }
> = {
  'exchange of a code': { prepare: async (_, code) => code },
  'exchange of a code by a client that may not refresh': {
    prepare: async (_, code) => code,
    grantTypes: ['authorization_code'],
  },
  'exchange of a code by a client of others, which was not allowed to refresh': {
    prepare: async (_, code) => code,
    ofOthers: true,
  },
  'exchange of a code that was used before': {
    async prepare({ deps }, code) {
      await handleTokenRequest(deps, code)
      return code
    },
  },
  'exchange of a code that has expired': {
    async prepare({ clock }, code) {
      clock.advance(60_000)
      return code
    },
  },
  'exchange of a code of another client': { prepare: async (_, code) => ({ ...code, ...theirs }), matches: false },
  'exchange of a code with another verifier': {
    prepare: async (_, code) => ({ ...code, codeVerifier: `${VERIFIER}x` }),
    matches: false,
  },
  'exchange of a code for a user who was switched off': {
    async prepare(world, code) {
      await putUser(world, false)
      return code
    },
    matches: false,
  },
  'poll of a device whose user has not decided': { prepare: (world) => polling(world) },
  'poll of a device that came too early': {
    async prepare(world) {
      const poll = await polling(world)
      await handleTokenRequest(world.deps, poll).catch(() => undefined)
      return poll
    },
  },
  'poll of a device that was allowed': { prepare: (world) => polling(world, 'allowed') },
  'poll of a device that got its tokens before': {
    async prepare(world) {
      const poll = await polling(world, 'allowed')
      await handleTokenRequest(world.deps, poll)
      return poll
    },
  },
  'poll of a device that was allowed too late': {
    prepare: (world) => after(world, 900_000, polling(world, 'allowed')),
  },
  'poll of a device that was denied': { prepare: (world) => polling(world, 'denied') },
  'poll of a device that has expired': {
    prepare: (world) => after(world, 900_000, polling(world)),
  },
  'poll of a device of another client': {
    prepare: async (world) => ({ ...(await polling(world, 'allowed')), ...theirs }),
    matches: false,
  },
  refresh: { prepare: refreshing },
  'refresh sent again': { prepare: rotated },
  'refresh sent again for a user who was switched off since': {
    async prepare(world, code) {
      const refresh = await rotated(world, code)
      await putUser(world, false)
      return refresh
    },
    matches: false,
    isSwitchedOff: true,
  },
  'refresh sent again in a family that was revoked since': {
    prepare: (world, code) => revokedSince(world, code, rotated),
  },
  'refresh sent again 30 s after the rotation': {
    prepare: (world, code) => after(world, 30_000, rotated(world, code)),
  },
  'refresh sent again after its successor was used': {
    async prepare(world, code) {
      const refresh = await refreshing(world, code)
      const { refreshToken } = await handleTokenRequest(world.deps, refresh)
      await handleTokenRequest(world.deps, { ...refresh, refreshToken })
      return refresh
    },
  },
  'refresh in a family that was revoked': {
    prepare: (world, code) => revokedSince(world, code, refreshing),
  },
  'refresh after 30 days': {
    prepare: (world, code) => after(world, 30 * DAY, refreshing(world, code)),
  },
  'refresh with a token of another client': {
    prepare: async (world, code) => ({ ...(await refreshing(world, code)), ...theirs }),
    matches: false,
  },
}

/** Every story, each with a world prepared by the real code. */
export async function createTokenStories(): Promise<TokenStory[]> {
  const stories: TokenStory[] = []
  for (const [name, { prepare, matches = true, isSwitchedOff = false, grantTypes, ofOthers }] of Object.entries(
    plans,
  )) {
    const world = createTokenWorld(1)
    for (const { clientId } of [mine, theirs]) {
      await world.stores.putClient({
        clientId,
        type: 'confidential',
        name: clientId,
        secretDigests: [digestSecret(SECRET)],
        grantTypes: grantTypes ?? ['authorization_code', 'refresh_token', DEVICE_CODE],
        redirectUris: [REDIRECT_URI],
        postLogoutRedirectUris: [],
        disabled: false,
        firstParty: ofOthers !== true,
      })
    }
    await putUser(world, true)
    const before = await authorized(world)
    const request = await prepare(world, before)
    stories.push({ name, beginning: world.begin(), request, before, matches, isSwitchedOff })
  }
  return stories
}

/** The exchange of a code that was just issued, with PKCE and its redirect_uri. */
async function authorized({ deps }: TokenWorld): Promise<TokenRequest> {
  const code = await issueAuthorizationCode(
    { ...deps, redirectPolicy: 'exact' },
    {
      clientId: mine.clientId,
      userId,
      securityRev: 0,
      authentication: { at: deps.clock.now(), methods: byPassword },
      scope: 'openid profile',
      redirectUri: REDIRECT_URI,
      codeChallenge: challengeOf(VERIFIER),
      codeChallengeMethod: 'S256',
    },
  )
  return { ...mine, grantType: 'authorization_code', code, redirectUri: REDIRECT_URI, codeVerifier: VERIFIER }
}

/** The poll of a new device, of which its user decided this. */
async function polling(world: TokenWorld, decision?: 'allowed' | 'denied'): Promise<TokenRequest> {
  const { deps, stores, clock } = world
  const scope = 'openid profile'
  const asked = { ...mine, scope, sourceIp: '198.51.100.7' }
  const { deviceCode } = await requestDevice({ ...deps, devices: stores.devices }, asked)
  const device = digestSecret(deviceCode)
  const { validUntil = 0 } = (await stores.devices.find(device)) ?? {}
  const authentication = { at: clock.now(), methods: byPassword }
  const code = { clientId: mine.clientId, userId, securityRev: 0, authentication, scope, validUntil, isForDevice: true }
  if (decision === 'allowed') await stores.devices.decide(device, { decision, code }, clock.now())
  if (decision === 'denied') await stores.devices.decide(device, { decision, userId }, clock.now())
  return { ...mine, grantType: DEVICE_CODE, deviceCode }
}

/** The refresh of the first token that a code gives. */
async function refreshing({ deps }: TokenWorld, code: TokenRequest): Promise<TokenRequest> {
  const { refreshToken } = await handleTokenRequest(deps, code)
  return { ...mine, grantType: 'refresh_token', refreshToken }
}

/** The same, which was answered before. */
async function rotated(world: TokenWorld, code: TokenRequest): Promise<TokenRequest> {
  const refresh = await refreshing(world, code)
  await handleTokenRequest(world.deps, refresh)
  return refresh
}

function putUser({ stores, clock }: TokenWorld, isActive: boolean): Promise<void> {
  const flags = { isActive, isVerified: true, isSuperuser: false }
  return stores.putUser({ id: userId, email: 'owner@example.com', username: 'owner', createdAt: clock.now(), ...flags })
}
