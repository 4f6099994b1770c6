import { RequestError } from '../../lib/http/errors.ts'
import { parameters } from '../../lib/http/request/validated.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { formToken } from '../../lib/http/security/formProtection.ts'
import { isShortEnough } from '../../lib/oauth/authorize/requestToResume.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { readInvitation } from '../../lib/organizations/invitations/readInvitation.ts'
import { newFormAnswer } from '../../lib/pages/account/accountFormAnswer.ts'
import { accountLinkFailure } from '../../lib/pages/account/accountLinkFailure.ts'
import { accountLinkPage } from '../../lib/pages/account/accountLinkPage.ts'
import { invitationAnswer } from '../../lib/pages/account/invitationAnswer.ts'
import { lookFor } from '../../lib/pages/kit/look.ts'
import { pageAnswer } from '../../lib/pages/kit/pageAnswer.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { accountPageDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { accountFormQuery, linkQuery } from '../../lib/users/links/linkQuery.ts'
import { openLink } from '../../lib/users/links/openLink.ts'

const deps = accountPageDepsFromEnvironment()

/** GET /api/auth/link: the page behind a link in a mail, or the form that requests such a mail. */
export const handler = pageEndpoint(
  pageHttpDeps(),
  async (event, look) => {
    const query = parameters(event.rawQueryString)
    const { data: form } = accountFormQuery.safeParse(query)
    if (form !== undefined) {
      const secret = readSessionCookie(event)
      const request = isShortEnough(form.request) ? form.request : ''
      return newFormAnswer(look, 200, { ...form, request, secret, newSecret: deps.ids.secret })
    }
    const { data: link } = linkQuery.safeParse(query)
    if (link === undefined) throw new RequestError('unreadable_form', { message: 'not a link from a mail' })
    const { purpose, token } = link
    const choose = link.choose !== ''
    const secret = readSessionCookie(event)
    if (purpose === 'invitation') {
      const [view, session] = await Promise.all([
        readInvitation(deps, token),
        choose ? undefined : readSession(deps, secret),
      ])
      const visitor = session && { user: session.user, csrf: formToken(secret ?? '') }
      return invitationAnswer(look, view, { token, visitor })
    }
    const opened = await openLink(deps, { purpose, token, choose }, secret)
    const linkLook = lookFor(deps.branding, event, opened.link.request)
    return pageAnswer(linkLook, { status: 200, page: accountLinkPage(linkLook, { ...opened, token }) })
  },
  accountLinkFailure(deps.ids),
)
