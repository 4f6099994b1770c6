import { type DynamoDbRequest, lasting, limited, noKms, type Operation, ofCaller, opened } from './operation.ts'

/** Defaults of these operations, if they do not say otherwise. */
const plain = { indexWrites: 0, kms: noKms, stripe: 0, logBytes: 0 } as const
/** The caller, and the organization's account and the membership. */
const readMembership: DynamoDbRequest = ['BatchGetItem', ofCaller + 2]

/** Operations that sell nothing: of users, their sign-in and their organizations' API clients. */
export const accountOperations: readonly Operation[] = [
  {
    // When the password is right and the browser is not known yet.
    ...plain,
    name: 'sign-in with a password',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      ...Array<DynamoDbRequest>(3).fill(limited),
      ...Array<DynamoDbRequest>(5).fill(['GetItem', 1]),
      ...Array<DynamoDbRequest>(2).fill(['TransactWriteItems', 2]),
      ...[['DeleteItem', 1] as const, ['DeleteItem', 1] as const],
    ],
    milliseconds: lasting({ dynamoDb: 8, password: 1 }),
  },
  {
    // After the password, which is a separate request.
    ...plain,
    name: 'second factor of an app',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      ...Array<DynamoDbRequest>(2).fill(limited),
      ...Array<DynamoDbRequest>(5).fill(['GetItem', 1]),
      ...[1, 1, 2].map((kilobytes) => ['TransactWriteItems', kilobytes] as const),
      ...[['Query', 1] as const, ['DeleteItem', 1] as const, ['DeleteItem', 1] as const],
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 9, kms: 1 }),
  },
  {
    // The first of two requests: encrypts and shows the secret.
    ...plain,
    name: 'key for an app',
    functionName: 'account-security-submit',
    dynamoDb: [
      ...[limited, ['BatchGetItem', 1] as const, ['Query', 1] as const, ['TransactWriteItems', 2] as const],
      ...Array<DynamoDbRequest>(3).fill(['GetItem', 1]),
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 6, kms: 1 }),
  },
  {
    // The second request: a code of the app.
    ...plain,
    name: 'set-up of an app',
    functionName: 'account-security-submit',
    dynamoDb: [
      ...Array<DynamoDbRequest>(3).fill(limited),
      ...Array<DynamoDbRequest>(4).fill(['GetItem', 1]),
      ...[['Query', 1] as const, ['TransactWriteItems', 2] as const, ['TransactWriteItems', 3] as const],
      ['DeleteItem', 1],
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 10, kms: 1, mail: 1 }),
  },
  {
    // As the only factor; its options are a separate request.
    ...plain,
    name: 'sign-in with a passkey',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      limited,
      ...Array<DynamoDbRequest>(6).fill(['GetItem', 1]),
      ...Array<DynamoDbRequest>(2).fill(['TransactWriteItems', 2]),
      ...[['DeleteItem', 1] as const, ['DeleteItem', 1] as const],
    ],
    milliseconds: lasting({ dynamoDb: 9 }),
  },
  {
    ...plain,
    name: 'options for a passkey',
    functionName: 'auth-passkey-options',
    dynamoDb: [limited, ['PutItem', 1]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    ...plain,
    name: 'userinfo',
    functionName: 'oauth-userinfo',
    dynamoDb: [limited, ['BatchGetItem', ofCaller]],
    milliseconds: lasting({ dynamoDb: 1 }),
  },
  {
    ...plain,
    name: 'consents',
    functionName: 'users-me-consents',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['Query', 1]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    // When there is a single family of tokens to end.
    ...plain,
    name: 'withdrawal of a consent',
    functionName: 'users-me-consent-withdraw',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['DeleteItem', 1], ['Query', 1], ['PutItem', 1]],
    logBytes: 320,
    milliseconds: lasting({ dynamoDb: 4 }),
  },
  {
    // If the user is in no organization; each takes two more reads.
    ...plain,
    name: 'export of an account',
    functionName: 'users-me-export',
    dynamoDb: [
      limited,
      ...Array<DynamoDbRequest>(5).fill(['BatchGetItem', ofCaller]),
      ...Array<DynamoDbRequest>(4).fill(['Query', 1]),
      ['GetItem', 1],
    ],
    milliseconds: lasting({ dynamoDb: 3 }),
  },
  {
    // The request only. When the waiting time is over, the erasure deletes each of its items.
    ...plain,
    name: 'deletion of an account',
    functionName: 'users-me-delete',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['Query', 1], ['PutItem', 1], ['TransactWriteItems', 3]],
    milliseconds: lasting({ dynamoDb: 4, mail: 1 }),
  },
  {
    // The request only, with a check of every product's slot.
    ...plain,
    name: 'deletion of an organization',
    functionName: 'organizations-delete',
    dynamoDb: [
      ...[limited, readMembership, readMembership, ['TransactWriteItems', 10] as const],
      ...[['Query', 1] as const, ['BatchGetItem', 1] as const],
    ],
    milliseconds: lasting({ dynamoDb: 5, mail: 1 }),
  },
  {
    ...plain,
    name: 'restoring of an organization',
    functionName: 'organizations-restore',
    dynamoDb: [limited, readMembership, ['TransactWriteItems', 6]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    ...plain,
    name: 'list of API clients',
    functionName: 'organizations-api-clients',
    dynamoDb: [limited, readMembership, ['Query', 1]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    ...plain,
    name: 'creation of an API client',
    functionName: 'organizations-api-client-create',
    dynamoDb: [limited, readMembership, ['TransactWriteItems', 5]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    ...plain,
    name: 'rotation of a secret of an API client',
    functionName: 'organizations-api-client-rotate',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 4]],
    milliseconds: lasting({ dynamoDb: 3 }),
  },
  {
    ...plain,
    name: 'deletion of an API client',
    functionName: 'organizations-api-client-delete',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 5]],
    milliseconds: lasting({ dynamoDb: 3 }),
  },
  {
    ...plain,
    name: 'erasure with nothing due',
    functionName: 'deletions-erase',
    dynamoDb: [
      ['Query', 1],
      ['Query', 1],
    ],
    logBytes: 600,
    milliseconds: lasting({ dynamoDb: 2 }),
    monthly: 30.4,
  },
]
