import {
  type DynamoDbRequest,
  lasting,
  limited,
  type Operation,
  ofCaller,
  opened,
  repeated,
  withDefaults,
} from './operation.ts'

/** The caller, and the organization's account and the membership. */
const readMembership: DynamoDbRequest = ['BatchGetItem', ofCaller + 2]

/** An entry of the user's activity. */
const noted = ['PutItem', 1] as const

/** The owners, who get a mail; each other owner takes a read and a budget more. */
const toldToOwners = ['Query', 1] as const

/** A mail about a sign-in in a browser that the account does not know: its budgets, and the link in it. */
const mailedSignIn: readonly DynamoDbRequest[] = [['GetItem', 1], limited, limited, ['PutItem', 1]]

/** Operations that sell nothing: of users, their sign-in and their organizations' API clients. */
export const accountOperations: readonly Operation[] = withDefaults([
  {
    // In a browser without a session: the client, and the providers on offer.
    name: 'sign-in page',
    functionName: 'oauth-authorize',
    dynamoDb: [limited, ['GetItem', 1], ['Query', 1]],
  },
  {
    // Reads the provider's metadata as well.
    name: 'start at a provider',
    functionName: 'sso-start',
    dynamoDb: [limited, ['GetItem', 1], ['PutItem', 1]],
    milliseconds: lasting({ dynamoDb: 2, mail: 1 }),
  },
  {
    // When the password is right and the browser is not known yet.
    name: 'sign-in with a password',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      ...repeated(3, limited),
      ...repeated(5, ['GetItem', 1]),
      ...repeated(2, ['TransactWriteItems', 2]),
      ['DeleteItem', 1],
      ['DeleteItem', 1],
      noted,
      ...mailedSignIn,
    ],
    milliseconds: lasting({ dynamoDb: 13, password: 1, mail: 1 }),
  },
  {
    // After the password, which is a separate request.
    name: 'second factor of an app',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      ...repeated(2, limited),
      ['UpdateItem', 1],
      ...repeated(5, ['GetItem', 1]),
      ...[1, 1, 2].map((kilobytes) => ['TransactWriteItems', kilobytes] as const),
      ['Query', 1],
      ['DeleteItem', 1],
      ['DeleteItem', 1],
      noted,
      // The failures of this browser begin anew.
      ['UpdateItem', 1],
      ...mailedSignIn,
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 15, kms: 1, mail: 1 }),
  },
  {
    // The first of two requests: encrypts and shows the secret.
    name: 'key for an app',
    functionName: 'account-security-submit',
    dynamoDb: [limited, ['BatchGetItem', 1], ['Query', 1], ['TransactWriteItems', 2], ...repeated(3, ['GetItem', 1])],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 6, kms: 1 }),
  },
  {
    // The second request: a code of the app.
    name: 'set-up of an app',
    functionName: 'account-security-submit',
    dynamoDb: [
      ...repeated(3, limited),
      ...repeated(4, ['GetItem', 1]),
      ['Query', 1],
      ['TransactWriteItems', 2],
      ['TransactWriteItems', 3],
      ['DeleteItem', 1],
      noted,
      // The link that undoes it, for each address.
      ['GetItem', 1],
      ['PutItem', 1],
      // The sessions without a second factor that can be signed out.
      ['BatchGetItem', 1],
      ['Query', 1],
    ],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 15, kms: 1, mail: 1 }),
  },
  {
    // As the only factor; its options are a separate request.
    name: 'sign-in with a passkey',
    functionName: 'oauth-authorize-submit',
    dynamoDb: [
      limited,
      ...repeated(7, ['GetItem', 1]),
      ...repeated(2, ['TransactWriteItems', 2]),
      ['DeleteItem', 1],
      ['DeleteItem', 1],
      noted,
      ...mailedSignIn,
    ],
    milliseconds: lasting({ dynamoDb: 14, mail: 1 }),
  },
  {
    name: 'options for a passkey',
    functionName: 'auth-passkey-options',
    dynamoDb: [limited, ['PutItem', 1]],
    milliseconds: lasting({ dynamoDb: 2 }),
  },
  {
    name: 'userinfo',
    functionName: 'oauth-userinfo',
    dynamoDb: [limited, ['BatchGetItem', ofCaller]],
  },
  {
    name: 'consents',
    functionName: 'users-me-consents',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['Query', 1]],
  },
  {
    // When there is a single family of tokens to end.
    name: 'withdrawal of a consent',
    functionName: 'users-me-consent-withdraw',
    dynamoDb: [
      limited,
      ['BatchGetItem', ofCaller],
      ...repeated(3, ['Query', 1]),
      ['DeleteItem', 1],
      ['PutItem', 1],
      noted,
    ],
    logBytes: 320,
  },
  {
    // If the user is in no organization; each takes two more reads.
    name: 'export of an account',
    functionName: 'users-me-export',
    dynamoDb: [limited, ...repeated(7, ['BatchGetItem', ofCaller]), ...repeated(6, ['Query', 1]), ['GetItem', 1]],
    milliseconds: lasting({ dynamoDb: 3 }),
  },
  {
    // The request only. When the waiting time is over, the erasure deletes each of its items.
    name: 'deletion of an account',
    functionName: 'users-me-delete',
    dynamoDb: [limited, ['BatchGetItem', ofCaller], ['Query', 1], ['PutItem', 1], ['TransactWriteItems', 3], noted],
    milliseconds: lasting({ dynamoDb: 5, mail: 1 }),
  },
  {
    // The request only, with a check of every product's slot.
    name: 'deletion of an organization',
    functionName: 'organizations-delete',
    dynamoDb: [
      limited,
      readMembership,
      readMembership,
      // The customer, who may owe an invoice.
      ['BatchGetItem', 1],
      ['TransactWriteItems', 10],
      ['Query', 1],
      ['BatchGetItem', 1],
      // The user's budget of mails to others.
      limited,
    ],
    milliseconds: lasting({ dynamoDb: 7, mail: 1 }),
  },
  {
    name: 'restoring of an organization',
    functionName: 'organizations-restore',
    dynamoDb: [limited, readMembership, ['TransactWriteItems', 6]],
  },
  {
    name: 'list of API clients',
    functionName: 'organizations-api-clients',
    dynamoDb: [limited, readMembership, ['Query', 1]],
  },
  {
    name: 'creation of an API client',
    functionName: 'organizations-api-client-create',
    dynamoDb: [limited, readMembership, ['TransactWriteItems', 5], toldToOwners],
  },
  {
    name: 'rotation of a secret of an API client',
    functionName: 'organizations-api-client-rotate',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 4], toldToOwners],
  },
  {
    name: 'deletion of an API client',
    functionName: 'organizations-api-client-delete',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 5], toldToOwners],
  },
  {
    name: 'list of webhook endpoints',
    functionName: 'webhook-endpoints',
    dynamoDb: [limited, readMembership, ['Query', 1]],
  },
  {
    name: 'creation of a webhook endpoint',
    functionName: 'webhook-endpoint-create',
    dynamoDb: [limited, readMembership, ['TransactWriteItems', 5]],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 2, kms: 1 }),
  },
  {
    name: 'webhook endpoint',
    functionName: 'webhook-endpoint',
    dynamoDb: [limited, readMembership, ['GetItem', 1]],
  },
  {
    name: 'change of a webhook endpoint',
    functionName: 'webhook-endpoint-update',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 4]],
  },
  {
    name: 'rotation of a secret of a webhook endpoint',
    functionName: 'webhook-endpoint-rotate',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 4]],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 3, kms: 1 }),
  },
  {
    name: 'test of a webhook endpoint',
    functionName: 'webhook-endpoint-test',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 4]],
    indexWrites: 1,
  },
  {
    name: 'list of events',
    functionName: 'organizations-events',
    dynamoDb: [limited, readMembership, ['Query', 1]],
  },
  {
    name: 'list of webhook deliveries',
    functionName: 'webhook-deliveries',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['Query', 1]],
  },
  {
    name: 'webhook delivery again',
    functionName: 'webhook-delivery-resend',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['GetItem', 1], ['TransactWriteItems', 4]],
  },
  {
    name: 'deletion of a webhook endpoint',
    functionName: 'webhook-endpoint-delete',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 5]],
  },
  {
    name: 'list of domains',
    functionName: 'company-domains',
    dynamoDb: [limited, readMembership, ['Query', 1]],
  },
  {
    name: 'claim of a domain',
    functionName: 'company-domain-create',
    dynamoDb: [limited, readMembership, ['TransactWriteItems', 6]],
  },
  {
    name: 'verification of a domain',
    functionName: 'company-domain-verify',
    dynamoDb: [limited, readMembership, ['Query', 1], ['TransactWriteItems', 6]],
  },
  {
    name: 'change of a domain',
    functionName: 'company-domain-update',
    dynamoDb: [limited, readMembership, ['Query', 1], ['TransactWriteItems', 4]],
  },
  {
    name: 'deletion of a domain',
    functionName: 'company-domain-delete',
    dynamoDb: [limited, readMembership, ['Query', 1], ['TransactWriteItems', 5]],
  },
  {
    name: 'single sign-on',
    functionName: 'company-sso',
    dynamoDb: [limited, readMembership, ['GetItem', 1]],
  },
  {
    name: 'change of a single sign-on',
    functionName: 'company-sso-save',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 5]],
    kms: opened,
    milliseconds: lasting({ dynamoDb: 4, kms: 1 }),
  },
  {
    name: 'deletion of a single sign-on',
    functionName: 'company-sso-delete',
    dynamoDb: [limited, readMembership, ['GetItem', 1], ['TransactWriteItems', 5]],
  },
  {
    name: 'test of a single sign-on',
    functionName: 'company-sso-test',
    dynamoDb: [limited, readMembership, ['GetItem', 1]],
  },
  {
    name: 'erasure with nothing due',
    functionName: 'deletions-erase',
    dynamoDb: [
      ['Query', 1],
      ['Query', 1],
    ],
    logBytes: 600,
    monthly: 30.4,
  },
  {
    name: 'removal of factors with nothing due',
    functionName: 'factor-resets-run',
    dynamoDb: [['Query', 1]],
    monthly: 43_800,
  },
  {
    name: 'check of domains with nothing due',
    functionName: 'domains-check',
    dynamoDb: [['Query', 1]],
    logBytes: 300,
    monthly: 30,
  },
])
