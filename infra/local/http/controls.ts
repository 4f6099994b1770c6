import * as z from 'zod'
import { ids } from '../../../lib/adapters/random/ids.ts'
import { byPassword } from '../../../lib/core/authentication.ts'
import { type Clock, toRfc3339 } from '../../../lib/core/clock.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { issueAuthorizationCode } from '../../../lib/oauth/authorize/issueAuthorizationCode.ts'
import { OAuthError } from '../../../lib/oauth/errors.ts'
import { roleSchema } from '../../../lib/organizations/ports.ts'
import { demoOrganizations } from '../../data/demo.ts'
import type { EmulatedProvider } from '../../emulators/openid/startOpenIdServer.ts'
import { consoleControls } from '../console/consoleControls.ts'
import type { Stores } from '../dependencies/openStores.ts'
import { dnsControls } from '../dns/dnsControls.ts'
import type { TxtRecords } from '../dns/nameServer.ts'
import { docsControls } from '../docs/docsControls.ts'
import { eventControls } from '../events/eventControls.ts'
import type { Receiver } from '../events/receiver.ts'
import { homeControls } from '../home/homePage.ts'
import { signInControls } from '../home/signInControls.ts'
import type { LocalInfo } from '../info.ts'
import { mailControls } from '../mailbox/mailControls.ts'
import { clockControls } from '../pages/clockControls.ts'
import { pageControls } from '../pages/localPage.ts'
import { providerControls } from '../provider/providerControls.ts'
import { json, type WireAnswer } from './apiGatewayAnswer.ts'
import { splitTarget, type WireRequest } from './apiGatewayEvent.ts'
import { ControlError, readBody } from './controlBody.ts'
import { leadToOwnAddress } from './ownAddress.ts'

interface ControlDeps {
  readonly info: LocalInfo
  readonly stores: Stores
  readonly clock: Clock
  readonly receiver: Receiver
  readonly txtRecords: TxtRecords
  readonly provider: EmulatedProvider
}

const codeRequest = z.object({
  user_id: userIdSchema,
  redirect_uri: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
  client_id: z.string().optional(),
  scope: z.string().optional(),
})

const membershipRequest = z.object({
  user_id: userIdSchema,
  organization_id: organizationIdSchema,
  role: z.nullable(roleSchema),
})

/**
 * The endpoints that only the local stack has, under `/_local/`, and its first page, `GET /`: addresses and secrets, authorization
 * codes without a login page, memberships, sent mails, received events, played DNS records, an OpenID provider, the API's document, and the
 * console. Leads every page that is opened at another name to
 * the stack's address. Returns undefined for every other path.
 */
export function localControls(deps: ControlDeps): (request: WireRequest) => Promise<WireAnswer | undefined> {
  const controls: Record<string, (request: WireRequest) => Promise<WireAnswer>> = {
    'GET /_local/info': async () => json(200, deps.info),
    'POST /_local/authorization-codes': async (request) =>
      json(200, await issueCode(deps, readBody(codeRequest, request))),
    'POST /_local/memberships': async (request) =>
      json(200, await setMembership(deps, readBody(membershipRequest, request))),
    ...homeControls(deps),
    ...signInControls(deps),
    ...clockControls(deps),
    ...pageControls,
    ...mailControls(deps.info),
    ...eventControls(deps.receiver),
    ...dnsControls(deps.txtRecords),
    ...docsControls,
    ...providerControls(deps.provider, deps.clock),
  }
  const consolePages = consoleControls(deps.info)
  return async (request) => {
    const elsewhere = leadToOwnAddress(deps.info, request)
    if (elsewhere !== undefined) return elsewhere
    const { path } = splitTarget(request.url)
    if (path !== '/' && !path.startsWith('/_local/')) return undefined
    const page = await consolePages(request)
    if (page !== undefined) return page
    // Node sends no body in answer to HEAD.
    const control = controls[`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`]
    if (control === undefined && path === '/') return undefined
    try {
      if (control === undefined)
        throw new ControlError(
          404,
          `Not Found. The controls are GET /_local/console, ${Object.keys(controls).join(', ')}`,
        )
      return await control(request)
    } catch (error) {
      if (error instanceof ControlError) return error.answer
      throw error
    }
  }
}

async function issueCode(
  { info, stores, clock }: ControlDeps,
  request: z.output<typeof codeRequest>,
): Promise<unknown> {
  const account = await stores.accounts.find(request.user_id)
  if (account === undefined) throw new ControlError(404, 'User not found')
  await clock.sync()
  try {
    const code = await issueAuthorizationCode(
      { ...stores, ids, clock, redirectPolicy: 'development' },
      {
        clientId: request.client_id ?? info.demo.client_id,
        userId: request.user_id,
        securityRev: account.securityRev,
        authentication: { at: clock.now(), methods: byPassword },
        scope: request.scope,
        redirectUri: request.redirect_uri,
        codeChallenge: request.code_challenge,
        codeChallengeMethod: request.code_challenge_method ?? (request.code_challenge && 'S256'),
      },
    )
    return { code }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    if (error.code === 'unauthorized_client') throw new ControlError(404, 'Client not found')
    throw new ControlError(422, [{ loc: ['body'], msg: error.message, type: error.code }])
  }
}

const demoNames = new Map<string, string>(Object.values(demoOrganizations).map(({ id, name }) => [id, name]))

/** Creates the organization if it does not exist, so that every test can have its own. */
async function setMembership(
  { stores, clock }: ControlDeps,
  { user_id, organization_id, role }: z.output<typeof membershipRequest>,
): Promise<unknown> {
  if ((await stores.users.find(user_id)) === undefined) throw new ControlError(404, 'User not found')
  if (role === null) {
    await stores.organizations.removeMembership(organization_id, user_id)
  } else {
    const name = demoNames.get(organization_id) ?? `Organization ${organization_id}`
    await stores.organizations.create({ id: organization_id, name, createdAt: toRfc3339(clock.now()) })
    await stores.organizations.setMembership(organization_id, user_id, role)
  }
  return { user_id, organization_id, role }
}
