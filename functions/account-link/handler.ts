import type * as z from 'zod'
import type { HttpEvent, HttpResult } from '../../lib/http/contract.ts'
import { RequestError } from '../../lib/http/errors.ts'
import { formToken } from '../../lib/http/formProtection.ts'
import { readSessionCookie, sessionCookie } from '../../lib/http/sessionCookie.ts'
import { parameters } from '../../lib/http/validated.ts'
import { accountFormPage } from '../../lib/pages/accountFormPage.ts'
import { accountLinkFailure } from '../../lib/pages/accountLinkFailure.ts'
import { accountLinkPage } from '../../lib/pages/accountLinkPage.ts'
import { pageAnswer } from '../../lib/pages/pageAnswer.ts'
import { pageEndpoint } from '../../lib/pages/pageEndpoint.ts'
import { linkDepsFromEnvironment } from '../../lib/runtime/accountLinks.ts'
import { ids } from '../../lib/runtime/ids.ts'
import { logger } from '../../lib/runtime/logger.ts'
import { rateLimitFromEnvironment } from '../../lib/runtime/rateLimits.ts'
import { findLink } from '../../lib/users/accountLinks.ts'
import { accountFormQuery, linkQuery } from '../../lib/users/linkQuery.ts'

const deps = linkDepsFromEnvironment()
const rateLimit = rateLimitFromEnvironment()

/** GET /api/auth/link: the page behind a link in a mail, or the form that requests such a mail. */
export const handler = pageEndpoint(
  { ...deps, logger, rateLimit },
  async (event) => {
    const query = parameters(event.rawQueryString)
    const { data: form } = accountFormQuery.safeParse(query)
    if (form !== undefined) return emptyForm(event, form)
    const { data: link } = linkQuery.safeParse(query)
    if (link === undefined) throw new RequestError('unreadable_form', { message: 'not a link from a mail' })
    const { purpose, token } = link
    // An invitation is checked after the sign-in: only the invited user learns whether it is valid.
    if (purpose !== 'invitation') await findLink(deps, { purpose, token })
    return pageAnswer({ status: 200, page: accountLinkPage(link) })
  },
  accountLinkFailure,
)

/** These forms carry no token of a mail, so the cookie protects them. */
function emptyForm(event: HttpEvent, { purpose }: z.output<typeof accountFormQuery>): HttpResult {
  const known = readSessionCookie(event)
  const secret = known ?? ids.secret()
  return pageAnswer({
    status: 200,
    page: accountFormPage({ purpose, csrf: formToken(secret) }),
    cookies: known === undefined ? [sessionCookie(secret)] : [],
  })
}
