import { GetPublicKeyCommand } from '@aws-sdk/client-kms'
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, jest } from '@jest/globals'
import { startKmsServer } from '../../infra/emulators/kms/startKmsServer.ts'
import { createTables } from '../../infra/local/dynamodb/createTables.ts'
import { startDynamoDb } from '../../infra/local/dynamodb/startDynamoDb.ts'
import { startHttpServer } from '../../infra/local/http/httpServer.ts'
import { silentRequestLog } from '../../infra/local/http/requestLog.ts'
import { matchApiRoute } from '../../infra/local/http/router.ts'
import { manifest } from '../../infra/manifest.ts'
import { createAccounts } from '../../lib/adapters/dynamodb/accountStore.ts'
import { createAuthorizationCodes } from '../../lib/adapters/dynamodb/authorizationCodeStore.ts'
import { createConsents } from '../../lib/adapters/dynamodb/consentStore.ts'
import { createGuessCounts } from '../../lib/adapters/dynamodb/guessCountStore.ts'
import { userKey } from '../../lib/adapters/dynamodb/keys.ts'
import { createDocumentClient } from '../../lib/adapters/dynamodb/kit/documentClient.ts'
import { createOAuthClients } from '../../lib/adapters/dynamodb/oauthClientStore.ts'
import { createRefreshTokens } from '../../lib/adapters/dynamodb/refreshTokenStore.ts'
import { createSessions } from '../../lib/adapters/dynamodb/sessionStore.ts'
import { tables } from '../../lib/adapters/dynamodb/tables.ts'
import { createClientGrants } from '../../lib/adapters/dynamodb/userSessionStore.ts'
import { createUsers } from '../../lib/adapters/dynamodb/userStore.ts'
import { createKmsClient } from '../../lib/adapters/kms/kmsClient.ts'
import { ids } from '../../lib/adapters/random/ids.ts'
import type { Clock } from '../../lib/core/clock.ts'
import type { UserId } from '../../lib/core/ids.ts'
import { createAuthenticatorDeps } from '../../lib/runtime/authenticatorDeps.ts'
import { answerClock } from './answerClock.ts'
import { startIam } from './aws/iam.ts'
import { interceptAwsCalls } from './aws/interceptAwsCalls.ts'
import { APPLICATION_URL } from './branding.ts'
import { setAttributes } from './setAttributes.ts'

export const TOKEN_KEY = '33333333-3333-4333-8333-333333333333'
/** The key that is being rotated out: tokens that it signed are still good. */
export const PREVIOUS_TOKEN_KEY = '44444444-4444-4444-8444-444444444444'
/** A key of the same KMS that signs no tokens. */
export const OTHER_KEY = '55555555-5555-4555-8555-555555555555'
/** Encrypts the secrets of TOTP. */
export const CUSTOMER_KEY = '66666666-6666-4666-8666-666666666666'
export const ISSUER = 'https://auth.console.example.com'
export const AUDIENCE = 'https://api.console.example.com'

const region = 'us-east-1'
const START = Date.UTC(2026, 10, 20, 8, 0, 0)

/** A clock that moves only when it is advanced, as `CLOCK_URL` wants it. */
function startClock() {
  let now = START
  const clock: Clock = { now: () => now, sync: async () => {} }
  const url = 'http://clock.example.com/'
  return {
    ...answerClock(url, () => now / 1000),
    url,
    clock,
    advance: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

/** The account functions behind HTTP, over a real DynamoDB and KMS protocol, with a clock of their own. */
async function startAccountsStack() {
  const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const errorOutput = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  const { clock, ...time } = startClock()
  const [database, kms] = await Promise.all([
    startDynamoDb(),
    startKmsServer({
      seed: 'accounts',
      keys: [
        ...[TOKEN_KEY, PREVIOUS_TOKEN_KEY, OTHER_KEY].map((keyId) => ({
          keyId,
          keySpec: 'RSA_2048' as const,
          keyUsage: 'SIGN_VERIFY' as const,
        })),
        { keyId: CUSTOMER_KEY, keySpec: 'SYMMETRIC_DEFAULT', keyUsage: 'ENCRYPT_DECRYPT' },
      ],
    }),
  ])
  const iam = startIam(manifest, { [TOKEN_KEY]: 'token', [CUSTOMER_KEY]: 'customer' })
  const { authorize } = iam
  const databaseCalls = interceptAwsCalls(database.endpoint, { authorize })
  const kmsCalls = interceptAwsCalls(kms.endpoint, { authorize })
  const past = interceptAwsCalls(database.endpoint, { host: 'tests.localhost' })
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: region,
    AWS_ENDPOINT_URL_DYNAMODB: databaseCalls.endpoint,
    AWS_ENDPOINT_URL_KMS: kmsCalls.endpoint,
    ACCOUNTS_TABLE: tables.accounts.localName,
    BILLING_TABLE: tables.billing.localName,
    AUDIT_LOG_TABLE: tables.auditLog.localName,
    EVENTS_TABLE: tables.events.localName,
    CUSTOMER_KEY_ID: CUSTOMER_KEY,
    TOKEN_KEY_ID: TOKEN_KEY,
    // Nothing answers there: a test that reads mails starts a mailbox.
    AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:9',
    ACCOUNT_URL: ISSUER,
    MAIL_FROM: 'Console <no-reply@console.example.com>',
    TOKEN_ISSUER: ISSUER,
    TOKEN_AUDIENCE: AUDIENCE,
    BRANDING: JSON.stringify({ applicationUrl: APPLICATION_URL }),
    CLOCK_URL: time.url,
    KNOWN_BROWSER_KEY: 'known-browser-key-of-these-tests',
    DEVELOPMENT_REDIRECTS: 'on',
  })
  const kmsClient = createKmsClient({ endpoint: kms.endpoint, region })
  const [publicKeySpki = '', previousSpki = ''] = await Promise.all(
    [TOKEN_KEY, PREVIOUS_TOKEN_KEY].map(async (KeyId) => {
      const { PublicKey = new Uint8Array() } = await kmsClient.send(new GetPublicKeyCommand({ KeyId }))
      return Buffer.from(PublicKey).toString('base64')
    }),
  )
  process.env.TOKEN_PUBLIC_KEY = `${TOKEN_KEY}:${publicKeySpki},${PREVIOUS_TOKEN_KEY}:${previousSpki}`

  const documents = createDocumentClient({ endpoint: past.endpoint, region })
  await createTables(documents, tables)
  // Handlers are imported at the first request, when the environment is complete.
  const http = await startHttpServer({
    port: 0,
    match: matchApiRoute,
    controls: Promise.resolve(async () => undefined),
    log: silentRequestLog,
  })
  const table = tables.accounts.localName
  return {
    baseUrl: http.url,
    documents,
    advance: time.advance,
    clock,
    ids,
    redirectPolicy: 'development' as const,
    kms,
    /** What the functions may do, and what they did. */
    iam,
    /** Counts and breaks what the functions say to DynamoDB; the stores below go past it. */
    database: databaseCalls,
    publicKeySpki,
    users: createUsers(documents, table),
    accounts: createAccounts(documents, table),
    clients: createOAuthClients(documents, table),
    clientGrants: createClientGrants(documents, table),
    codes: createAuthorizationCodes(documents, table),
    consents: createConsents(documents, table),
    refreshTokens: createRefreshTokens(documents, table),
    sessions: createSessions(documents, table),
    guesses: createGuessCounts(documents, table),
    /** What users prove an identity with, as the functions store it. */
    authenticatorDeps: createAuthenticatorDeps({
      documents,
      table,
      kms: kmsClient,
      keyId: CUSTOMER_KEY,
      relyingParty: { id: new URL(ISSUER).hostname, name: 'Console', origin: ISSUER },
      clock,
    }),
    /** Switches a user on or off, as support would. */
    setActive: (userId: UserId, isActive: boolean) => setAttributes(documents, table, userKey(userId), { isActive }),
    /** Lets every waiting device have asked from this network. */
    moveDevices: async (sourceIp: string) => {
      const { Items = [] } = await documents.send(new ScanCommand({ TableName: table }))
      for (const item of Items.filter(({ sk }) => sk === 'DEVICE'))
        await documents.send(new PutCommand({ TableName: table, Item: { ...item, sourceIp } }))
    },
    /** Everything that is at rest. */
    stored: async () => (await documents.send(new ScanCommand({ TableName: table }))).Items ?? [],
    /** Everything the functions have logged. */
    logged: () => [...output.mock.calls, ...errorOutput.mock.calls].map(([line]) => String(line)).join(''),
    close: async () => {
      documents.destroy()
      kmsClient.destroy()
      await http.close()
      await Promise.all([databaseCalls, kmsCalls, past, kms, database, iam, time].map((opened) => opened.close()))
      output.mockRestore()
      errorOutput.mockRestore()
    },
  }
}

export type AccountsStack = Awaited<ReturnType<typeof startAccountsStack>>

/**
 * A stack from before the first test of a file until after its last; faults end with the test that ordered them. A function
 * that goes beyond the manifest fails the test.
 */
export function useAccountsStack(): () => AccountsStack {
  let running: AccountsStack | undefined
  const stack = () => {
    if (running === undefined) throw new Error('the stack is not started yet')
    return running
  }
  beforeAll(async () => {
    running = await startAccountsStack()
  })
  afterEach(() => {
    stack().kms.reset()
    stack().database.reset()
    stack().iam.expectNoViolation()
  })
  afterAll(() => running?.close())
  return stack
}
