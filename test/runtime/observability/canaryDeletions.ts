import * as z from 'zod'
import { signUp, tokenMailedTo } from '../../../infra/local/samples/sampleAccounts.ts'
import { dueRemoval } from '../../signIn/secondFactor/dueRemoval.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import type { Ground } from './canaryFailures.ts'

const DAY = 24 * 60 * 60

/** Accounts and organizations that are exported, deleted and erased; the store fails once at each kind, and an organization loses its owner. */
export async function deleteEverything({ stack, canaries }: Ground): Promise<void> {
  const { client, emulator } = stack
  const { email, accessToken } = await signUp(client)
  canaries.add('email', email)
  const token = canaries.add('access token', accessToken)
  const { body: me } = await client.send({ method: 'GET', path: '/api/users/me/export', token })
  const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(me)
  const organization = async () => {
    const body = { name: canaries.make('name') }
    const created = await client.send({ method: 'POST', path: '/api/organizations', token, body })
    return z.object({ id: z.string() }).parse(created.body).id
  }
  const setRole = (organization_id: string, user_id: string, role: string) =>
    client.send({ method: 'POST', path: '/_local/memberships', body: { user_id, organization_id, role } })
  await organization()
  const shared = await organization()
  await setRole(shared, client.info.demo.owner.id, 'owner')
  await client.send({ method: 'DELETE', path: '/api/users/me', token })
  canaries.add('link', await tokenMailedTo(client, email))
  // The last owner's role is taken away where no request may.
  await setRole(shared, user.id, 'owner')
  await setRole(shared, client.info.demo.owner.id, 'member')

  await removeFactors({ stack, canaries })
  await emulator.advance(30 * DAY + 5)
  // The webhooks of a month write at the same time, and take some of the failures.
  const error = () => ({ type: 'ValidationException', message: canaries.make('words of DynamoDB') })
  stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 9, error: error() })
  stack.dynamoDb.fail({ operation: 'UpdateItem', times: 1, error: error() })
  await runSchedule('deletions-erase').catch(() => {})
  stack.dynamoDb.reset()
  await runSchedule('deletions-erase')
}

/** A removal of lost factors that is due, for which the store fails once. */
async function removeFactors({ stack, canaries }: Pick<Ground, 'stack' | 'canaries'>): Promise<void> {
  await dueRemoval(stack.client)
  const error = { type: 'ValidationException', message: canaries.make('words of DynamoDB') }
  stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 9, error })
  await runSchedule('factor-resets-run').catch(() => {})
  stack.dynamoDb.reset()
  await runSchedule('factor-resets-run')
}
