import { readFile } from 'node:fs/promises'

/** Sample events of a function, files of `events/`. */
export interface Requests {
  /** Answered without a call to any neighbour: with 400, 401, 403, 404 or 422. */
  readonly refused?: string
  /** Answered after all the work there is: store, keys, gateway. */
  readonly served?: string
}

/** What each function of the manifest is asked first, by the benchmark and by the test of its bundle. */
export const requests: Readonly<Record<string, Requests>> = {
  'oauth-token': { refused: 'oauth-token.no-grant-type.json', served: 'oauth-token.authorization-code.json' },
  'oauth-revoke': { refused: 'oauth-revoke.no-token.json', served: 'oauth-revoke.refresh-token.json' },
  'oauth-introspect': { refused: 'oauth-introspect.no-token.json', served: 'oauth-introspect.access-token.json' },
  'oauth-logout': { refused: 'oauth-logout.repeated-parameter.json', served: 'oauth-logout.back-to-client.json' },
  'oauth-logout-submit': {
    refused: 'oauth-logout-submit.other-site.json',
    served: 'oauth-logout-submit.back-to-client.json',
  },
  'oauth-metadata': { served: 'oauth-metadata.document.json' },
  'openid-configuration': { served: 'openid-configuration.document.json' },
  'oauth-jwks': { served: 'oauth-jwks.keys.json' },
  'users-me': { refused: 'users-me.no-token.json', served: 'users-me.signed-in.json' },
  'users-me-update': { refused: 'users-me-update.no-token.json', served: 'users-me-update.username.json' },
  'oauth-authorize': { served: 'oauth-authorize.sign-in.json' },
  'oauth-authorize-submit': { served: 'oauth-authorize-submit.sign-in.json' },
  'auth-register': { served: 'auth-register.new-account.json' },
  'auth-verify-request': {
    refused: 'auth-verify-request.no-address.json',
    served: 'auth-verify-request.unknown-address.json',
  },
  'auth-verify': { served: 'auth-verify.new-account.json' },
  'auth-password-forgot': {
    refused: 'auth-password-forgot.no-address.json',
    served: 'auth-password-forgot.known-address.json',
  },
  'auth-password-reset': {
    refused: 'auth-password-reset.short-password.json',
    served: 'auth-password-reset.new-password.json',
  },
  'auth-password-change': {
    refused: 'auth-password-change.no-token.json',
    served: 'auth-password-change.new-password.json',
  },
  'users-me-email-change': { served: 'users-me-email-change.new-address.json' },
  'users-me-email-confirm': { served: 'users-me-email-confirm.new-address.json' },
  'account-link': { served: 'account-link.verify.json' },
  'account-link-submit': { served: 'account-link-submit.verify.json' },
  organizations: { refused: 'organizations.no-token.json', served: 'organizations.own.json' },
  'organizations-create': { served: 'organizations-create.new.json' },
  'organizations-rename': { served: 'organizations-rename.owner.json' },
  'organizations-members': { served: 'organizations-members.owner.json' },
  'organizations-invite': { served: 'organizations-invite.by-owner.json' },
  'organizations-invitation-revoke': { served: 'organizations-invitation-revoke.owner.json' },
  'organizations-accept': { served: 'organizations-accept.owner.json' },
  'organizations-member-role': { served: 'organizations-member-role.promoted.json' },
  'organizations-member-remove': { served: 'organizations-member-remove.member.json' },
  'organizations-leave': { served: 'organizations-leave.member.json' },
  'organizations-transfer': { served: 'organizations-transfer.to-member.json' },
  openapi: { served: 'openapi.document.json' },
  'billing-checkout': { refused: 'billing-checkout.no-token.json', served: 'billing-checkout.new-card.json' },
  'billing-setup-intent': {
    refused: 'billing-setup-intent.no-token.json',
    served: 'billing-setup-intent.new-customer.json',
  },
  'billing-cancel': { refused: 'billing-cancel.no-token.json', served: 'billing-cancel.at-period-end.json' },
  'billing-entitlements': { refused: 'billing-entitlements.no-token.json', served: 'billing-entitlements.member.json' },
  'stripe-webhook': { refused: 'stripe-webhook.no-signature.json', served: 'stripe-webhook.invoice-paid.json' },
  'billing-sweep': { served: 'billing-sweep.every-minute.json' },
  'billing-reconcile': { served: 'billing-reconcile.every-day.json' },
  'unmatched-route': { refused: 'unmatched-route.unknown-path.json' },
}

/** A sample event as it stands in `events/`, its placeholders unfilled. */
export async function readEvent(file: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../events/${file}`, import.meta.url), 'utf8'))
}
