import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { TOTP } from 'otpauth'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createAuditLog } from '../../../lib/adapters/dynamodb/auditLogStore.ts'
import { createFactorResetApprovals, createFactorResets } from '../../../lib/adapters/dynamodb/factorResetStore.ts'
import { userKey } from '../../../lib/adapters/dynamodb/keys.ts'
import { membershipItemOf } from '../../../lib/adapters/dynamodb/membershipStore.ts'
import { createOperatedFactors } from '../../../lib/adapters/dynamodb/operatedFactorStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import type { PasskeyDeps } from '../../../lib/authenticators/deps.ts'
import { beginTotpEnrollment, confirmTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from '../../../lib/authenticators/factors/registerPasskey.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import { type OrganizationId, userIdSchema } from '../../../lib/core/ids.ts'
import { type AllAuthenticatorDeps, createAuthenticatorDeps } from '../../../lib/runtime/authenticatorDeps.ts'
import { useDynamoDb } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { CUSTOMER_KEY, useKms } from '../../adapters/kms/kmsTestBed.ts'
import type { AwsCalls } from '../../support/aws/awsCalls.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { type SoftwareAuthenticator, softwareAuthenticator } from './softwareAuthenticator.ts'

/** How long an app shows a code. */
export const STEP = 30_000
export const NOW = Date.UTC(2026, 10, 20, 8)
export const place = { origin: 'https://accounts.example.com', rpId: 'accounts.example.com' }
const table = tables.accounts.localName
const allTables = { accounts: table, billing: tables.billing.localName, auditLog: tables.auditLog.localName }

/** Everything but the reset, on DynamoDB and KMS in emulators, with real ceremonies. */
export type Deps = AllAuthenticatorDeps

/** A caller with an account, and the account's user. */
export type Person = Caller & { readonly email: string }

/** The emulators, from before the first test of a file until after its last, and a clock that only moves when it is set. */
export function useAuthenticators() {
  const server = useDynamoDb()
  const kms = useKms()
  let now = NOW
  let running: { calls: AwsCalls; documents: DynamoDBDocumentClient } | undefined
  const state = () => {
    if (running === undefined) throw new Error('not started yet')
    return running
  }
  beforeAll(async () => {
    const calls = interceptAwsCalls(server().endpoint)
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
    const client = new DynamoDBClient({ endpoint: calls.endpoint, region: 'us-east-1', credentials, maxAttempts: 3 })
    const marshallOptions = { removeUndefinedValues: true }
    running = { calls, documents: DynamoDBDocumentClient.from(client, { marshallOptions }) }
  })
  afterEach(() => {
    now = NOW
    state().calls.reset()
  })
  afterAll(async () => {
    running?.documents.destroy()
    await running?.calls.close()
  })

  const clock = { now: () => now, sync: async () => {} }

  function deps(): Deps {
    const { documents } = state()
    const relyingParty = { id: place.rpId, name: 'Console', origin: place.origin }
    return createAuthenticatorDeps({ documents, table, kms: kms.client(), keyId: CUSTOMER_KEY, relyingParty, clock })
  }

  /** A new account, with its caller. */
  async function person({ isVerified = true }: { isVerified?: boolean } = {}): Promise<Person> {
    const id = userIdSchema.parse(randomUUID())
    const email = `${id}@example.com`
    const flags = { isActive: true, isVerified, isSuperuser: false }
    await createUsers(state().documents, table).create({ id, email, username: id, ...flags, createdAt: NOW })
    return { userId: id, securityRev: 0, email }
  }

  /** The code that an app shows, now or steps later. */
  function codeOf(secret: string, steps = 0): string {
    return new TOTP({ secret }).generate({ timestamp: now + steps * STEP })
  }

  return {
    deps,
    person,
    codeOf,
    /** A user with TOTP, whose code of the step of the enrollment is past. */
    async withTotp(): Promise<{ ada: Person; secret: string }> {
      const ada = await person()
      const { secret } = await beginTotpEnrollment(deps(), ada)
      await confirmTotp(deps(), ada, codeOf(secret))
      now += 2 * STEP
      return { ada, secret }
    },
    kms,
    calls: () => state().calls,
    documents: () => state().documents,
    clock,
    resets: () => createFactorResets(state().documents, table),
    accounts: () => createAccounts(state().documents, table),
    approvals: () => createFactorResetApprovals(state().documents, allTables),
    operatedFactors: () => createOperatedFactors(state().documents, allTables),
    /** The audit log of an organization, newest first. */
    entries: async (organizationId: OrganizationId) =>
      (await createAuditLog(state().documents, allTables.auditLog).list(organizationId, { limit: 99, now })).entries,
    /** Makes a user an owner, as the organization's own writes do. */
    async makeOwner(organizationId: OrganizationId, { userId }: Caller) {
      const Item = membershipItemOf(organizationId, { userId, role: 'owner' })
      await state().documents.send(new PutCommand({ TableName: allTables.billing, Item }))
    },
    wait: (milliseconds: number) => {
      now += milliseconds
    },
    /** Changes an account as another part of the service does. */
    async setAccount({ userId }: Caller, attribute: 'isActive' | 'securityRev', value: boolean | number) {
      await setAttributes(state().documents, table, userKey(userId), { [attribute]: value })
    },
    /** All that is stored in the partition of a user. */
    async stored({ userId }: Caller) {
      const { Items = [] } = await state().documents.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': userKey(userId).pk },
        }),
      )
      return Items
    },
  }
}

/** The challenge in options for a browser. */
export function challengeOf(options: Readonly<Record<string, unknown>>): string {
  return String(options.challenge)
}

/** A passkey of this user, registered by a software authenticator. */
export async function registeredPasskey(
  deps: PasskeyDeps,
  person: Person,
  flags: { backupEligible?: boolean; counter?: number } = {},
): Promise<SoftwareAuthenticator> {
  const authenticator = softwareAuthenticator(person.userId, place)
  const challenge = challengeOf(await beginPasskeyRegistration(deps, person))
  await finishPasskeyRegistration(deps, person, {
    response: authenticator.register({ challenge, ...flags }),
    name: 'Laptop',
  })
  return authenticator
}
