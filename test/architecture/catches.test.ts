import { relative } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { Expression, Node } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isCatchClause,
  isFunctionDeclaration,
  isIdentifier,
  isMethodDeclaration,
  isNoSubstitutionTemplateLiteral,
  isPropertyAccessExpression,
  isStringLiteral,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

/**
 * Every place where a failure is caught, by file and enclosing function, numbered where a function has several, and the rule
 * that runs into it and says what becomes of the failure: a file under `test` and a title in it.
 */
const rows: Readonly<Record<string, readonly [file: string, title: string]>> = {
  'lib/adapters/clock/followedClock.ts sync': [
    'oauth/followedClock.test.ts',
    'throws service_unavailable where the other clock does not answer',
  ],
  'lib/adapters/dynamodb/authorizationCode.ts consume': [
    'oauth/stores.test.ts',
    'succeeds for exactly one of 20 callers and returns its family to the others',
  ],
  'lib/adapters/dynamodb/billingRecords.ts bindCustomer': [
    'world/billingRecordsContract.ts',
    'is bound by the first writer; every later one is told the winner',
  ],
  'lib/adapters/dynamodb/callStore.ts callStore': [
    'world/billingRecordsContract.ts',
    'is not bound to an organization that is unknown, or that forgot one meanwhile',
  ],
  'lib/adapters/dynamodb/readItems.ts allItems': [
    'organizations/organizations.test.ts',
    'answers 401 without a token, and 503 when the store is unavailable',
  ],
  'lib/adapters/dynamodb/transactWrite.ts transactWriteOrConflict': [
    'organizations/storeFaults.test.ts',
    'succeeds although other transactions conflict longer than one write retries',
  ],
  'lib/adapters/dynamodb/oauthClient.ts putIf': [
    'discovery/clientRegistration.test.ts',
    'refuses an id that is taken, and a change of an outdated client',
  ],
  'lib/adapters/dynamodb/rateLimit.ts admit': [
    'rateLimits/store.test.ts',
    'admits exactly the limit of 50 requests at once, and writes nothing for the others',
  ],
  'lib/adapters/dynamodb/readItems.ts readBatch': [
    'dynamodb/readItems.test.ts',
    'throws service_unavailable where keys stay unprocessed, and does not report their items as missing',
  ],
  'lib/adapters/dynamodb/transactWrite.ts transactWrite': [
    'world/billingRecordsContract.ts',
    'lets one of two claims win and tells the other what stands',
  ],
  'lib/adapters/dynamodb/user.ts changeCase': [
    'users/usersMe.test.ts',
    'answers 200, for another name and for another case',
  ],
  'lib/adapters/jose/accessTokenVerifier.ts read': [
    'oauth/accessToken.test.ts',
    'refuses what none of its keys has signed',
  ],
  'lib/adapters/ses/mailer.ts send': [
    'mail/mailer.test.ts',
    'fails with service_unavailable and keeps %s as its cause',
  ],
  'lib/adapters/stripe/readEvent.ts organizationId': [
    'commands/caughtFailures.test.ts',
    'still names its customer, and no organization: %j',
  ],
  'lib/adapters/stripe/readEvent.ts purchase': [
    'commands/caughtFailures.test.ts',
    'still points at its subscription, and names no purchase: %j',
  ],
  'lib/adapters/stripe/readSubscription.ts subscriptionSchema': [
    'commands/caughtFailures.test.ts',
    'is read without it: %j',
  ],
  'lib/adapters/stripe/webhookVerifier.ts constructEvent': [
    'properties/webhookVerifier.test.ts',
    'accepts nothing that was not signed, and never throws, whatever bytes and header arrive',
  ],
  'lib/adapters/stripe/wireCall.ts createGatewayCall': [
    'billing/sendLimits.test.ts',
    'returns a refusal where the purchase was never sent before',
  ],
  'lib/billing/buyLines.ts claim': [
    'billing/storeAndKmsUnavailable.test.ts',
    'answers 503 and sends no purchase where %s fails, and buys when the cart is sent again',
  ],
  'lib/billing/buyLines.ts resumeLine': [
    'billing/storeUnavailable.test.ts',
    'pays nothing for an incomplete purchase, and answers gateway_unavailable, where the store is unavailable after the first read',
  ],
  'lib/billing/buyLines.ts unclaim': [
    'commands/caughtFailures.test.ts',
    'waits for its lease to end where it cannot be given back either, and is bought then',
  ],
  'lib/billing/checkout.ts buyCart': [
    'billing/storeAndKmsUnavailable.test.ts',
    'answers 503 and sends no purchase where %s fails, and buys when the cart is sent again',
  ],
  'lib/billing/customer.ts customerOf': [
    'billing/storeAndKmsUnavailable.test.ts',
    'answers 503, releases claim and coupon, and sends no purchase',
  ],
  'lib/billing/customer.ts forgetCustomer': [
    'billing/storeUnavailable.test.ts',
    'throws gateway_refused for a missing customer, also where the store is unavailable when it is unbound',
  ],
  'lib/billing/completePurchase.ts completePurchase': [
    'billing/completePurchase.test.ts',
    'answers gateway_unavailable and logs where the store is unavailable',
  ],
  'lib/billing/receiveEvent.ts receiveEvent': [
    'commands/caughtFailures.test.ts',
    'is not acknowledged, and is a line in the log',
  ],
  'lib/billing/reconcile.ts deliver': [
    'commands/caughtFailures.test.ts',
    'is reported by the reconciliation, which goes on with the rest',
  ],
  'lib/billing/repair.ts repair': ['commands/caughtFailures.test.ts', 'is reported, and nothing is done about it'],
  'lib/billing/subscription.ts gatewayStatusSchema': [
    'properties/readSubscription.test.ts',
    'holds the slot for a status that it does not know',
  ],
  'lib/billing/sweep.ts sweepSafely': ['world/sweep.test.ts', 'goes on with the others where one cannot be swept'],
  'lib/adapters/dynamodb/attempt.ts count': [
    'accounts/signIn.test.ts',
    'count when concurrent: of 20 guesses at once 5 are admitted',
  ],
  'lib/users/mails.ts notify': [
    'accounts/passwords.test.ts',
    'answers 200 when the answer of the store was lost, and when the owner cannot be notified',
  ],
  'lib/http/pathTemplate.ts decoded': ['http/pathTemplate.test.ts', '%s matches %s with %j'],
  'lib/http/clientCredentials.ts formDecode': [
    'http/tokenEndpoint.test.ts',
    'answers 401 invalid_client with a challenge to %s',
  ],
  'lib/http/rateLimit.ts admit': [
    'rateLimits/besideTheHandler.test.ts',
    'serves a %s while the store is unavailable, and logs a warning',
  ],
  'lib/http/rateLimit.ts before': [
    'rateLimits/besideTheHandler.test.ts',
    'handles a refusal that comes before its GET has read, so that no rejection is unhandled',
  ],
  'lib/http/rateLimit.ts onError': [
    'rateLimits/besideTheHandler.test.ts',
    'answers 429 instead of %s where the limit is exceeded',
  ],
  'lib/http/readJsonBody.ts before': ['http/protectedEndpoint.test.ts', 'answers 422 json_invalid alone to %s'],
  'lib/http/readJsonBody.ts decode': [
    'http/protectedEndpoint.test.ts',
    'answers 422 json_invalid to bytes that are not UTF-8',
  ],
  'lib/http/readJsonBody.ts parseWithAnyKey': [
    'commands/caughtFailures.test.ts',
    'answers 422 json_invalid where half a surrogate pair makes it no JSON',
  ],
  'lib/http/endpoint.ts validatedForm': ['http/tokenEndpoint.test.ts', 'answers 400 invalid_request to %s'],
  'lib/oauth/accessToken.ts signAccessToken': [
    'oauth/authorizationCode.test.ts',
    'answers 503 and keeps the code consumed where signing fails',
  ],
  'lib/runtime/authorize.ts signInWith': [
    'authorize/signIn.test.ts',
    'answers 429 with Retry-After after too many attempts, also to the right password, until the block ends',
  ],
}

const root = new URL('../../', import.meta.url).pathname
const api = new API({ cwd: root })
const program = api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] }).getProjects()[0]?.program
const files = (program?.getSourceFileNames() ?? []).map((name) => relative(root, name))

afterAll(() => api.close())

function nodesOf(file: string): Node[] {
  const nodes: Node[] = []
  const walk = (node: Node): void => {
    nodes.push(node)
    node.forEachChild(walk)
  }
  const source = program?.getSourceFile(`${root}${file}`)
  if (source) walk(source)
  return nodes
}

function isCatchCall(node: Node): boolean {
  return isCallExpression(node) && isPropertyAccessExpression(node.expression) && node.expression.name.text === 'catch'
}

/** The innermost function with a name around a node, or else the constant that it is part of. */
function enclosing(node: Node | undefined, constant = ''): string {
  if (!node) return constant
  const named = isFunctionDeclaration(node) || isMethodDeclaration(node) || isVariableDeclaration(node)
  const name = named && node.name && isIdentifier(node.name) ? node.name.text : ''
  if (name !== '' && !isVariableDeclaration(node)) return name
  return enclosing(node.parent, name || constant)
}

function catchesOf(file: string): string[] {
  const places = nodesOf(file)
    .filter((node) => isCatchClause(node) || isCatchCall(node))
    .map((node) => `${file} ${enclosing(node)}`)
  return places.map((place, index) => {
    const number = places.slice(0, index + 1).filter((other) => other === place).length
    return number > 1 ? `${place} ${number}` : place
  })
}

/** The titles of a test file's rules, those of tables as they are written. */
function titlesOf(file: string): string[] {
  return nodesOf(file).flatMap((node) => {
    if (!isCallExpression(node) || calls(node.expression) !== 'it') return []
    const [title] = node.arguments
    return title && (isStringLiteral(title) || isNoSubstitutionTemplateLiteral(title)) ? [title.text] : []
  })
}

/** The name at the beginning of `it(…)` and of `it.each(…)(…)`. */
function calls(callee: Expression): string {
  if (isIdentifier(callee)) return callee.text
  return isCallExpression(callee) || isPropertyAccessExpression(callee) ? calls(callee.expression) : ''
}

describe('Every place where a failure is caught', () => {
  it('has a row in the table, and every row has its place', () => {
    const places = files.filter((file) => /^(lib|functions)\//.test(file)).flatMap(catchesOf)
    expect(places.toSorted()).toEqual(Object.keys(rows).toSorted())
  })

  it('is run into by a rule that exists', () => {
    const missing = Object.entries(rows).filter(([, [file, title]]) => !titlesOf(`test/${file}`).includes(title))
    expect(missing).toEqual([])
  })
})
