import type { Look } from './look.ts'

/** A link to the next step. Its address is ours or comes from the stage's branding, so it is not checked. */
export interface NextStep {
  readonly label: string
  readonly href: string
}

/**
 * Where to sign in: at the authorization request that the user began with, or at the stage's application if there is none.
 * @param request the query of that request; the authorization endpoint checks it
 */
export function linkToSignIn({ texts, branding }: Look, request: string | undefined): NextStep {
  const label = texts.next.signIn
  return { label, href: request ? `/api/oauth/authorize?${request}` : branding.applicationUrl }
}

/** The stage's application, with this organization if it is given. */
export function applicationStep({ texts, branding }: Look, organizationId?: string): NextStep {
  const url = new URL(branding.applicationUrl)
  if (organizationId !== undefined) url.searchParams.set('organization_id', organizationId)
  return { label: texts.next.openApplication(branding.name), href: url.href }
}
