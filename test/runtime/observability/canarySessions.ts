import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { inInvocation } from '../../../lib/http/endpoint/requestScope.ts'
import { changeClientScopes } from '../../../lib/oauth/client/changeClientScopes.ts'
import { operateOnAccount } from '../../../lib/organizations/operateOnAccount.ts'
import { queryOf, signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import type { Ground } from './canaryFailures.ts'

const listed = z.object({ sessions: z.array(z.object({ id: z.string(), current: z.boolean() })) })

/** A user ends what a client was allowed and every session, one of them first; an operator signs the user out, and changes the scopes of a client. */
export async function endSessions({ stack, canaries }: Ground): Promise<void> {
  const me = '/api/users/me'
  await stack.client.signIn('stranger')
  const token = canaries.add('access token', (await stack.client.signIn('stranger')).access_token)
  const { body } = await stack.client.send({ method: 'GET', path: `${me}/sessions`, token })
  const other = listed.parse(body).sessions.find(({ current }) => !current)
  await stack.client.send({ method: 'DELETE', path: `${me}/sessions/${other?.id}`, token })
  await useUpMailsToOthers(stack)
  const error = { type: 'ValidationException', message: canaries.make('words of DynamoDB') }
  // Hosted sign-in goes on without the rules of the user's organizations.
  const { stranger, client_id: clientId, redirect_uri } = stack.client.info.demo
  const visitor = new Visitor(stack.client.info.base_url)
  const query = queryOf({ clientId }, { redirect_uri })
  await signInAt(visitor, query, stranger.email, stranger.password)
  stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 1, error: error })
  await visitor.get(query)
  stack.dynamoDb.reset()
  // What the store does not note in the user's activity.
  stack.dynamoDb.fail({ operation: 'PutItem', times: 1, error })
  await stack.client.send({ method: 'DELETE', path: `${me}/sessions`, token })
  stack.dynamoDb.reset()
  const last = canaries.add('access token', (await stack.client.signIn('stranger')).access_token)
  const { client_id } = stack.client.info.demo
  await stack.client.send({ method: 'DELETE', path: `${me}/consents/${client_id}`, token: last })
  const { operateOnAccountDepsFromEnvironment, operatedClientDepsFromEnvironment } = await import(
    '../../../lib/runtime/operators.ts'
  )
  const deps = await operateOnAccountDepsFromEnvironment()
  const clientDeps = await operatedClientDepsFromEnvironment()
  const userId = userIdSchema.parse(stack.client.info.demo.stranger.id)
  await inInvocation({ awsRequestId: randomUUID() }, async () => {
    await operateOnAccount(deps, 'sign-out', userId, { dryRun: false })
    const wanted = { clientId: stack.client.info.demo.public_client_id, scopes: ['openid'] }
    await changeClientScopes(clientDeps, wanted, { dryRun: false })
  })
}

/** An owner changes the role of a member more often than mails are sent about it. */
async function useUpMailsToOthers({ client }: Ground['stack']): Promise<void> {
  const { organization_id, member } = client.info.demo
  const { access_token: token } = await client.signIn('owner')
  const path = `/api/organizations/${organization_id}/members/${member.id}`
  for (let n = 0; n < 5; n += 1)
    for (const role of ['owner', 'member']) await client.send({ method: 'PATCH', path, token, body: { role } })
}
