import type { GuardMutant } from './guardMutant.ts'

const readClaims = 'lib/billing/checkout/claimLines.ts'
const account = 'lib/adapters/dynamodb/billingAccountStore.ts'
const contract = ['test/proof/world/billingRecords.test.ts']

/** The guards of moving an organization to another gateway. */
export const switchMutants: readonly GuardMutant[] = [
  {
    name: 'send-without-reading-again',
    guard: 'sent only while the account is as it was read',
    edits: [
      {
        file: readClaims,
        within: 'readClaims',
        kind: 'constant',
        mentions: ['accountChanged'],
        replacement: 'const accountChanged = false',
      },
    ],
    caughtBy: [
      'test/billing/checkout/claimLines.test.ts',
      'test/infra/operate/switchGatewayFaults.test.ts',
      'test/infra/operate/switchRaces.deep.test.ts',
    ],
  },
  {
    name: 'send-for-any-terms',
    guard: 'sent only while the account is as it was read',
    edits: [
      {
        file: readClaims,
        within: 'isAsRead',
        kind: 'call',
        mentions: ['isSameTerms'],
        replacement: 'true',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts', 'test/infra/operate/switchGatewayFaults.test.ts'],
  },
  {
    name: 'send-for-any-customer',
    guard: 'sent only while the account is as it was read',
    edits: [
      {
        file: readClaims,
        within: 'isAsRead',
        kind: 'operation',
        mentions: ['customerRev'],
        replacement: 'now !== undefined',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts'],
  },
  {
    name: 'send-to-what-is-being-deleted',
    guard: 'sent only while the account is as it was read',
    edits: [
      {
        file: readClaims,
        within: 'isAsRead',
        kind: 'return',
        mentions: ['isBeingDeleted'],
        replacement: 'return now?.customerRev === account.customerRev && isSameTerms(now, account)',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts', 'test/organizations/deletion/deletionGuards.test.ts'],
  },
  {
    name: 'read-the-account-before-the-claim',
    guard: 'the claim and the account are read in one transaction',
    edits: [
      {
        file: readClaims,
        within: 'readClaims',
        kind: 'constant',
        mentions: ['read', 'readTogether'],
        replacement: 'const read = { account, slots: claims }',
      },
    ],
    caughtBy: ['test/infra/operate/switchGatewayFaults.test.ts', 'test/infra/operate/switchRaces.deep.test.ts'],
    because: 'What was read before the claim is the oldest that a read by itself might return.',
  },
  {
    name: 'read-one-by-one',
    guard: 'the claim and the account are read in one transaction',
    edits: [
      {
        file: 'lib/adapters/dynamodb/billingStore.ts',
        within: 'readTogether',
        kind: 'call',
        mentions: ['readTransaction'],
        replacement: (code) => code.replace('readTransaction', 'readItems'),
      },
    ],
    caughtBy: ['test/billing/checkout/roundTrips.deep.test.ts'],
    because: 'The emulators show every write at once: only the call that is made says what DynamoDB would promise.',
  },
  {
    name: 'give-back-what-others-hold',
    guard: 'a claim is given back on its rev',
    edits: [
      {
        file: 'lib/billing/checkout/claimLines.ts',
        within: 'giveBackOutdated',
        kind: 'constant',
        mentions: ['held', 'slot'],
        replacement:
          'const held = outdated.map(({ line, conflict }) => ({ line: { ...line, slot: conflict.slot ?? line.slot } }))',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts'],
    because:
      'The condition on `rev` is that of every write; here the slot is given back as it is stored, whoever claimed it.',
  },
  {
    name: 'replay-on-other-terms',
    guard: 'replayed only on the terms of its claim',
    edits: [
      {
        file: 'lib/billing/checkout/holdSlot.ts',
        within: 'takeOver',
        kind: 'constant',
        mentions: ['isSold', 'asked'],
        replacement: 'const isSold = true',
      },
    ],
    caughtBy: ['test/billing/checkout/claimLines.test.ts', 'test/infra/operate/switchGatewayFaults.test.ts'],
  },
  {
    name: 'claim-for-any-gateway',
    guard: 'sent only while the account is as it was read',
    edits: [
      {
        file: account,
        within: 'termsAsRead',
        kind: 'constant',
        mentions: ['served'],
        replacement: "const served = '(gateway = :gateway OR NOT gateway = :gateway)'",
      },
    ],
    caughtBy: contract,
    because: 'The condition itself: a claim with a coupon and a switch go by the same one.',
  },
  {
    name: 'claim-on-any-terms',
    guard: 'sent only while the account is as it was read',
    edits: [
      {
        file: account,
        within: 'termsAsRead',
        kind: 'constant',
        mentions: ['due'],
        replacement:
          "const due = daysUntilDue === undefined ? 'attribute_exists(pk)' : '(daysUntilDue = :days OR attribute_exists(pk))'",
      },
    ],
    caughtBy: contract,
  },
  {
    name: 'switch-while-it-buys',
    guard: 'switched only while every slot is free',
    edits: [
      {
        file: 'lib/adapters/dynamodb/billingStore.ts',
        within: 'switchGateway',
        kind: 'constant',
        mentions: ['free', 'moves'],
        replacement: 'const free: TransactItem[] = []',
      },
    ],
    caughtBy: [...contract, 'test/infra/operate/switchRaces.deep.test.ts'],
  },
  {
    name: 'switch-over-the-winner',
    guard: 'switched only from what was read',
    edits: [
      {
        file: account,
        within: 'changeTerms',
        kind: 'member',
        mentions: ['ConditionExpression'],
        // The values that it names have to be used.
        replacement: (code) => code.replace(' AND ', ' OR '),
      },
    ],
    caughtBy: contract,
  },
  {
    name: 'switch-without-the-list',
    guard: 'a switch asks for what no slot holds',
    edits: [
      {
        file: 'lib/billing/operate/switchGateway.ts',
        within: 'whyNotMoved',
        kind: 'constant',
        mentions: ['live'],
        replacement: 'const live: string[] = []',
      },
    ],
    caughtBy: ['test/infra/operate/switchGateway.test.ts'],
  },
]
