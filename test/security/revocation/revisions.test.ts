import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { textOf } from '../../oauth/authorize/page.ts'
import { exchangeOf, queryOf, registerClient, responseIn, SECRET, signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { askAboutToken } from '../../oauth/client/askAboutToken.ts'
import { requestToken, tokensIn } from '../../oauth/token/tokenRequests.ts'
import { OTHER_PASSWORD, PASSWORD, useAccounts } from '../../users/accounts/useAccounts.ts'

const { stack, post, person, tokenMailedTo } = useAccounts()

/** All that one sign-in at the pages leads to, in one second: a session, a code, tokens, and tokens that were refreshed. */
async function grantsOf(email: string) {
  const client = await registerClient(stack(), { firstParty: true })
  const credentials = { client_id: client.clientId, client_secret: SECRET }
  const query = queryOf(client)
  const visitor = new Visitor(stack().baseUrl)
  await signInAt(visitor, query, email, PASSWORD)
  const newExchange = async () => exchangeOf(client, responseIn(await visitor.get(query)).code ?? '')
  const refreshOf = (refresh_token: string) => ({ ...credentials, grant_type: 'refresh_token', refresh_token })
  const first = tokensIn(await requestToken(stack(), await newExchange()))
  const second = tokensIn(await requestToken(stack(), await newExchange()))
  const rotated = tokensIn(await requestToken(stack(), refreshOf(second.refresh_token)))
  const exchange = await newExchange()
  const isActive = async (token: string) => {
    const { body } = await askAboutToken(stack(), 'introspect', { ...credentials, token })
    return JSON.stringify(body).includes('"active":true')
  }
  const isGranted = async (fields: Record<string, string>) => (await requestToken(stack(), fields)).status === 200
  return async () => ({
    'the session': !textOf((await visitor.get(query)).body).startsWith('Sign in'),
    'the code': await isGranted(exchange),
    'the access token': await isActive(first.access_token),
    'the refreshed access token': await isActive(rotated.access_token),
    'the refresh token': await isGranted(refreshOf(first.refresh_token)),
    'the rotated refresh token': await isGranted(refreshOf(rotated.refresh_token)),
  })
}

describe('A password reset', () => {
  // [asvs 7.4.3]
  it.each([
    ['in the same second', 0],
    ['by a function whose clock is five seconds behind', -5],
  ])('ends every grant from before, %s', async (_, seconds) => {
    const someUser = await person()
    await post('/api/auth/password/forgot', { email: someUser.email })
    const live = await grantsOf(someUser.email)
    stack().advance(seconds)
    const fields = { token: tokenMailedTo(someUser.email), password: OTHER_PASSWORD }
    expect((await post('/api/auth/password/reset', fields)).status).toBe(200)
    expect(Object.entries(await live()).filter(([, isLive]) => isLive)).toEqual([])
  })
})

describe('A session, code or token from before there were revisions', () => {
  it('has ended', async () => {
    const someUser = await person()
    const live = await grantsOf(someUser.email)
    const issued = (await stack().stored()).filter(
      ({ pk, userId, securityRev }) => pk !== `USER#${userId}` && userId === someUser.userId && securityRev === 0,
    )
    // A session, codes, tokens, and the link in the mail about the new browser.
    expect(issued).toHaveLength(8)
    for (const { pk, sk } of issued) {
      const without = { TableName: 'accounts', Key: { pk, sk }, UpdateExpression: 'REMOVE securityRev' }
      await stack().documents.send(new UpdateCommand(without))
    }
    const { 'the access token': _claims, 'the refreshed access token': _too, ...stored } = await live()
    expect(Object.entries(stored).filter(([, isLive]) => isLive)).toEqual([])
  })
})
