import * as z from 'zod/mini'
import type { ConsoleClient } from '../../../client/src/index.ts'
import type { SignOn } from '../app/types.ts'

/** Why a provider is not reached, as far as this console knows. */
export const testFaults = [
  'not_a_url',
  'not_https',
  'has_credentials',
  'not_resolved',
  'forbidden_address',
  'timeout',
  'connection_failed',
  'bad_certificate',
  'bad_answer',
] as const

type SignOnSettings = Parameters<ConsoleClient['setSingleSignOn']>[0]['body']

/** What an owner enters, without the secret: it is kept while the owner signs in again, and a secret must not be. */
export const signOnDraft = z.object({
  issuer: z.string(),
  clientId: z.string(),
  isEnforced: z.boolean(),
  trustAcr: z.boolean(),
  /** Whether the owner entered a secret, too. */
  hasSecret: z.boolean(),
})

export type SignOnDraft = z.output<typeof signOnDraft>

/** The input that shows a stored single sign-on, or none. */
export function draftOf(signOn: SignOn | null): SignOnDraft {
  return {
    issuer: signOn?.issuer ?? '',
    clientId: signOn?.client_id ?? '',
    isEnforced: signOn?.enforced ?? false,
    trustAcr: signOn?.trust_acr ?? false,
    hasSecret: false,
  }
}

/** The request of an input. An empty secret is left out: the stored secret stays. */
export function settingsOf({ issuer, clientId, isEnforced, trustAcr }: SignOnDraft, secret: string): SignOnSettings {
  return {
    type: 'oidc',
    issuer: issuer.trim(),
    client_id: clientId.trim(),
    ...(secret !== '' && { client_secret: secret }),
    enforced: isEnforced,
    trust_acr: trustAcr,
  }
}
