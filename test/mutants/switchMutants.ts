import type { GuardMutant } from './guardMutant.ts'

const account = 'lib/adapters/dynamodb/billingAccount.ts'
const contract = ['test/world/billingRecords.test.ts']

/** The guards of moving an organization to another gateway. */
export const switchMutants: readonly GuardMutant[] = [
  {
    name: 'claim-for-any-account',
    guard: 'claimed only for the gateway and the terms that were read',
    edits: [
      {
        file: 'lib/billing/claim.ts',
        within: 'claimLines',
        kind: 'call',
        mentions: ['records', 'commit', 'account'],
        replacement: 'context.deps.records.commit(claims.map(({ change }) => change))',
      },
    ],
    caughtBy: ['test/operate/switchGatewayFaults.test.ts', 'test/operate/switchRaces.test.ts'],
  },
  {
    name: 'claim-for-any-gateway',
    guard: 'claimed only for the gateway and the terms that were read',
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
    because: 'The condition itself: claiming and switching go by the same one.',
  },
  {
    name: 'claim-on-any-terms',
    guard: 'claimed only for the gateway and the terms that were read',
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
        file: 'lib/adapters/dynamodb/billingRecords.ts',
        within: 'switchGateway',
        kind: 'constant',
        mentions: ['free', 'moves'],
        replacement: 'const free: TransactItem[] = []',
      },
    ],
    caughtBy: [...contract, 'test/operate/switchRaces.test.ts'],
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
        file: 'lib/billing/switchGateway.ts',
        within: 'whyNotMoved',
        kind: 'constant',
        mentions: ['live'],
        replacement: 'const live: string[] = []',
      },
    ],
    caughtBy: ['test/operate/switchGateway.test.ts'],
  },
]
