import type { ReturnPage } from '../../signIn/provider/ports.ts'

const paths: Readonly<Record<ReturnPage['page'], string>> = {
  authorize: '/api/oauth/authorize',
  device: '/api/device',
  security: '/api/account/security',
}

/** The link that begins a sign-in at a provider. A link, because browsers apply `form-action` to each redirect after a form. `loginHint`: the address to fill in there. */
export function startAddress(provider: string, { page, query }: ReturnPage, loginHint = ''): string {
  const hint = loginHint === '' ? {} : { login_hint: loginHint }
  return `/api/sso/start?${new URLSearchParams({ provider, page, request: query, ...hint })}`
}

/** Of the page that a sign-in leads back to. */
export function addressOf({ page, query }: ReturnPage): string {
  return `${paths[page]}?${query}`
}
