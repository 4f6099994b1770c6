import { organizationIdSchema } from '../../lib/core/ids.ts'
import { toResult } from '../../lib/http/answer/answer.ts'
import { tokenErrorAnswer } from '../../lib/http/answer/tokenErrors.ts'
import { pipeline } from '../../lib/http/endpoint/pipeline.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { sourceIpOf } from '../../lib/http/request/request.ts'
import { OAuthError } from '../../lib/oauth/errors.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { backchannelLogoutDepsFromEnvironment } from '../../lib/runtime/providers.ts'
import { backchannelLogout } from '../../lib/signIn/provider/backchannelLogout.ts'
import { contract } from './contract.ts'

const deps = backchannelLogoutDepsFromEnvironment()

/** No browser shows the answers, in a frame or elsewhere. */
const unframed = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
}

/** POST /api/sso/backchannel-logout/{organization_id}: ends what a person got by the single sign-on of a company. */
export const handler = pipeline(pageHttpDeps(), {
  principalOf: sourceIpOf,
  answerTo: tokenErrorAnswer,
  writeError: (answer) => toResult({ ...answer, headers: { ...answer.headers, ...unframed } }),
  handle: async (event) => {
    const { logout_token: token } = readForm(event, contract.body)
    const { data: organizationId } = organizationIdSchema.safeParse(event.pathParameters?.organization_id)
    if (organizationId === undefined) throw new OAuthError('invalid_request', { message: 'no organization' })
    await backchannelLogout(deps, { organizationId, token })
    return toResult({ status: 200, body: undefined, headers: unframed })
  },
})
