import * as z from 'zod/mini'
import { backchannelLogoutUrl, callbackUrl } from '../../core/providerUrls.ts'
import { requestFaults } from '../../core/requestFault.ts'
import { boundedString, described, documented, named, organizationId } from '../../http/schema.ts'
import type { CompanySignOn } from './ports.ts'

/** The path of a single sign-on. */
export const signOnPath = z.object({ organization_id: organizationId() })

const TYPE = 'oidc'

const descriptions = {
  enforced:
    'Whether members with an address of a verified domain reach the organization only after signing in with the provider. Their other organizations are not affected',
  trust_acr: 'Whether two factors at the provider (`amr` with `mfa`) count as two factors here',
}

/** The members of a single sign-on that an owner chooses. */
export const signOnSettings = z.object({
  type: described('The protocol: OpenID Connect', z.enum([TYPE])),
  issuer: documented(
    {
      format: 'uri',
      description: 'The issuer of the provider, exactly as its metadata has it: `https` and a public address',
    },
    boundedString({ min: 1, max: 2000 }),
  ),
  client_id: described('The id of the client that you registered at the provider', boundedString({ min: 1, max: 500 })),
  client_secret: described(
    'The secret of that client. It is stored encrypted, and never answered. Left out: the stored secret stays, if `issuer` and `client_id` do',
    z.optional(boundedString({ min: 1, max: 1000 })),
  ),
  enforced: described(descriptions.enforced, z._default(z.boolean(), false)),
  trust_acr: described(descriptions.trust_acr, z._default(z.boolean(), false)),
})

/** A single sign-on in the API, without its secret. */
export const signOnResource = named(
  'SingleSignOn',
  z.strictObject({
    type: described(
      'The protocol of the provider: OpenID Connect',
      documented({ 'x-extensible-enum': [TYPE] }, z.string()),
    ),
    issuer: described('The issuer of the provider', z.string()),
    client_id: described('The id of the client at the provider', z.string()),
    enforced: described(descriptions.enforced, z.boolean()),
    trust_acr: described(descriptions.trust_acr, z.boolean()),
    redirect_uri: described('The redirect URI to register at the provider', z.string()),
    backchannel_logout_uri: described(
      'The address for back-channel logouts to register at the provider (OpenID Connect Back-Channel Logout 1.0). A logout token with `sid` ends what began in that session, with `sub` alone all of the person: `backchannel_logout_session_required` may be true or false',
      z.string(),
    ),
    break_glass_user_id: described(
      'The owner who saved `enforced`: they need not use the provider, so they can help if it fails. `null` while it is not enforced',
      z.nullable(z.uuid()),
    ),
  }),
)

/**
 * Maps a single sign-on to the API's object.
 * @param issuer of this service
 */
export function toSignOnResource(signOn: CompanySignOn, issuer: string): z.infer<typeof signOnResource> {
  return {
    type: TYPE,
    issuer: signOn.issuer,
    client_id: signOn.clientId,
    enforced: signOn.isEnforced,
    trust_acr: signOn.trustAcr,
    redirect_uri: callbackUrl(issuer),
    backchannel_logout_uri: backchannelLogoutUrl(issuer, signOn.organizationId),
    break_glass_user_id: signOn.breakGlassUserId ?? null,
  }
}

/** What a test of the provider found. */
export const signOnTest = named(
  'SingleSignOnTest',
  z.strictObject({
    ok: described('Whether the provider answered with its metadata', z.boolean()),
    error: described(
      'Why it did not: its address is refused or not found, it does not answer, or its answer is not the metadata of this issuer. Else `null`',
      z.nullable(documented({ 'x-extensible-enum': [...requestFaults] }, z.string())),
    ),
  }),
)
