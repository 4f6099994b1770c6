import type { GuardMutant } from './guardMutant.ts'

const finish = 'lib/signIn/provider/finishProviderSignIn.ts'
const connect = 'lib/signIn/provider/connectProvider.ts'
const begin = 'lib/signIn/provider/beginProviderSignIn.ts'
const client = 'lib/adapters/openid/openIdClient.ts'
const disconnect = 'lib/authenticators/security/connectedProviders.ts'

const flowTest = 'test/signIn/provider/providerFlow.test.ts'
const clientTest = 'test/adapters/openid/openIdClient.test.ts'
const pageTest = 'test/signIn/provider/connectedProviders.test.ts'

/** The guards of the sign-in at OpenID providers: whose answer counts, for which account, and as how much. */
export const providerMutants: readonly GuardMutant[] = [
  {
    name: 'take-an-answer-without-its-state',
    guard: 'a provider answers the browser that asked',
    file: finish,
    within: 'takeSignIn',
    kind: 'operation',
    mentions: ['secret', 'undefined', 'state'],
    replacement: 'secret === undefined',
    caughtBy: [flowTest],
  },
  {
    name: 'take-an-answer-at-any-time',
    guard: 'a sign-in at a provider ends after its time',
    file: finish,
    within: 'takeSignIn',
    kind: 'return',
    mentions: ['validUntil'],
    replacement: 'return { signIn, secret }',
    caughtBy: [flowTest],
  },
  {
    name: 'make-an-account-for-an-unverified-address',
    guard: 'a provider has verified the address of a new account',
    file: finish,
    within: 'findOrCreate',
    kind: 'if',
    mentions: ['success', 'isEmailVerified'],
    replacement: "if (!success) return 'connect'",
    caughtBy: [flowTest],
  },
  {
    name: 'sign-in-after-a-new-password',
    guard: 'a new password disconnects providers',
    file: finish,
    within: 'findOrCreate',
    kind: 'return',
    mentions: ['credentialsRev'],
    replacement: 'return account',
    caughtBy: [flowTest],
  },
  {
    name: 'sign-in-to-an-account-that-is-off',
    guard: 'an account that is off signs nobody in',
    file: finish,
    within: 'finishProviderSignIn',
    kind: 'if',
    mentions: ['isActive'],
    replacement: '',
    caughtBy: [flowTest],
  },
  {
    name: 'count-a-sign-in-of-unknown-age-as-recent',
    guard: 'a sign-in of unknown age is not recent',
    file: finish,
    within: 'signedInAt',
    kind: 'return',
    mentions: ['notRecent'],
    replacement: 'return claims ?? now',
    caughtBy: [flowTest],
  },
  {
    name: 'connect-in-an-old-sign-in',
    guard: 'a connection needs a recent sign-in',
    file: connect,
    within: 'showConnection',
    kind: 'if',
    mentions: ['isRecent'],
    replacement: '',
    caughtBy: [flowTest],
  },
  {
    name: 'ask-for-no-fresh-sign-in',
    guard: 'a page that needs a recent sign-in asks for one',
    file: begin,
    within: 'asksForFreshSignIn',
    kind: 'if',
    mentions: ['page', 'authorize'],
    replacement: '',
    caughtBy: [flowTest],
  },
  {
    name: 'take-an-unsigned-identity',
    guard: 'signatures of id_tokens are checked',
    file: client,
    within: 'configure',
    kind: 'call',
    mentions: ['extend', 'configuration'],
    replacement: 'execute.includes(extend) && extend(configuration)',
    caughtBy: [clientTest],
  },
  {
    name: 'take-any-nonce',
    guard: 'an id_token is of this sign-in',
    file: client,
    within: 'exchange',
    kind: 'member',
    mentions: ['expectedNonce'],
    replacement: 'expectedNonce: undefined',
    caughtBy: [clientTest],
  },
  {
    name: 'disconnect-the-last-provider',
    guard: 'an account without a password keeps a provider',
    file: disconnect,
    within: 'disconnectProvider',
    kind: 'if',
    mentions: ['other'],
    replacement: '',
    caughtBy: [pageTest],
  },
  {
    name: 'disconnect-both-of-two-providers',
    guard: 'of two disconnections at once one holds',
    file: 'lib/adapters/dynamodb/providerConnectionStore.ts',
    within: 'remove',
    kind: 'member',
    mentions: ['ConditionCheck'],
    replacement:
      'ConditionCheck: { TableName, Key: listedKey(by.userId, other), ConditionExpression: "attribute_exists(pk) OR attribute_not_exists(pk)" }',
    caughtBy: [pageTest],
  },
]
