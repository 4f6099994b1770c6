import type { Look } from './look.ts'

/** A link to what comes next. Its address is one of our own, or of the stage's branding: it is not checked. */
export interface NextStep {
  readonly label: string
  readonly href: string
}

/**
 * Where to sign in: at the authorization request that the user began with, else at the stage's application, which makes one.
 * @param request the query of that request; the authorization endpoint checks it
 */
export function signInStep({ texts, branding }: Look, request: string | undefined): NextStep {
  const label = texts.next.signIn
  return { label, href: request ? `/api/oauth/authorize?${request}` : branding.applicationUrl }
}

/** The stage's application, with this organization where one is given. */
export function applicationStep({ texts, branding }: Look, organizationId?: string): NextStep {
  const url = new URL(branding.applicationUrl)
  if (organizationId !== undefined) url.searchParams.set('organization_id', organizationId)
  return { label: texts.next.openApplication(branding.name), href: url.href }
}
